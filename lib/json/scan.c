/* scan.c - quotes, escapes and brackets as bit masks. */
#include "json/scan.h"

#include <endian.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>

static uint64_t equal16(__m128i bytes, char c)
{
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)));
}

struct scan_masks scan_masks(const char block[static SCAN_BLOCK])
{
    struct scan_masks m = { 0 };

    for (int at = 0; at < SCAN_BLOCK; at += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(block + at));
        /* [ and { differ in this bit only, as do ] and } */
        __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));

        m.quote |= equal16(bytes, '"') << at;
        m.backslash |= equal16(bytes, '\\') << at;
        m.open |= equal16(folded, '{') << at;
        m.close |= equal16(folded, '}') << at;
    }
    return m;
}
#else
struct scan_masks scan_masks(const char block[static SCAN_BLOCK])
{
    return scan_masks_portable(block);
}
#endif

#define EACH_BYTE(c) (UINT64_C(0x0101010101010101) * (unsigned char)(c))

/* One bit for each byte of the word that equals c. */
static uint64_t equal8(uint64_t word, char c)
{
    uint64_t differ = word ^ EACH_BYTE(c);
    uint64_t low = (differ & EACH_BYTE(0x7f)) + EACH_BYTE(0x7f); /* top bit: low seven not all 0 */
    uint64_t same = ~(low | differ) & EACH_BYTE(0x80);

    return ((same >> 7) * UINT64_C(0x0102040810204080)) >> 56;
}

struct scan_masks scan_masks_portable(const char block[static SCAN_BLOCK])
{
    struct scan_masks m = { 0 };

    for (int at = 0; at < SCAN_BLOCK; at += 8) {
        uint64_t word, folded;

        memcpy(&word, block + at, sizeof word);
        word = le64toh(word);
        folded = word | EACH_BYTE(0x20);
        m.quote |= equal8(word, '"') << at;
        m.backslash |= equal8(word, '\\') << at;
        m.open |= equal8(folded, '{') << at;
        m.close |= equal8(folded, '}') << at;
    }
    return m;
}

bool scan_begin(struct scan *scan, char first)
{
    *scan = (struct scan) { 0 };
    if (first == '{' || first == '[')
        scan->kind = SCAN_CONTAINER;
    else if (first == '"')
        scan->kind = SCAN_STRING;
    else if ((first >= '0' && first <= '9') || first == '-' || (first >= 'a' && first <= 'z'))
        scan->kind = SCAN_SCALAR;
    else
        return false;
    return true;
}

/* The bytes of a block that stand behind a backslash; n of them are real. */
static uint64_t escaped_bytes(struct scan *scan, uint64_t backslash, size_t n)
{
    uint64_t escaped = scan->escaped;

    scan->escaped = false;
    backslash &= ~escaped;
    while (backslash) {
        uint64_t first = backslash & -backslash;
        uint64_t next = first << 1;

        if (!next || (n < SCAN_BLOCK && next >> n)) {
            scan->escaped = true;
            break;
        }
        escaped |= next;
        backslash &= ~(first | next);
    }
    return escaped;
}

/* Bit i is the parity of bits 0..i: between an odd quote and the next we are inside a string. */
static uint64_t parity_up_to(uint64_t bits)
{
    for (int shift = 1; shift < 64; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

/* The bracket that closes the value, when it may be among these. */
static bool find_end(struct scan *scan, uint64_t open, uint64_t close, size_t *ret_len)
{
    for (uint64_t brackets = open | close; brackets; brackets &= brackets - 1) {
        if (open & brackets & -brackets) {
            scan->depth++;
        } else if (--scan->depth == 0) {
            *ret_len = (size_t)__builtin_ctzll(brackets) + 1;
            return true;
        }
    }
    return false;
}

static bool scan_block(struct scan *scan, const char *block, size_t n, size_t *ret_len)
{
    struct scan_masks m = scan_masks(block);
    uint64_t quotes = m.quote & ~escaped_bytes(scan, m.backslash, n);
    uint64_t inside = parity_up_to(quotes) ^ scan->in_string;
    uint64_t open = m.open & ~inside;
    uint64_t close = m.close & ~inside;
    size_t closing = (size_t)__builtin_popcountll(close);

    scan->in_string = (uint64_t)((int64_t)inside >> 63);
    *ret_len = n;
    if (scan->depth > closing) { /* cannot end here: most blocks leave this way */
        scan->depth += (size_t)__builtin_popcountll(open) - closing;
        return false;
    }
    return find_end(scan, open, close, ret_len);
}

static size_t feed_container(struct scan *scan, const char *bytes, size_t n, bool *ret_done)
{
    char last[SCAN_BLOCK];
    size_t at = 0;
    size_t len;

    while (n - at >= SCAN_BLOCK) {
        *ret_done = scan_block(scan, bytes + at, SCAN_BLOCK, &len);
        at += len;
        if (*ret_done)
            return at;
    }
    if (at == n)
        return n;
    memset(last, ' ', sizeof last);
    memcpy(last, bytes + at, n - at);
    *ret_done = scan_block(scan, last, n - at, &len);
    return at + len;
}

static size_t feed_string(struct scan *scan, const char *bytes, size_t n, bool *ret_done)
{
    for (size_t at = 0; at < n; at++) {
        bool escaped = scan->escaped;

        scan->escaped = !escaped && bytes[at] == '\\';
        if (bytes[at] != '"' || escaped)
            continue;
        if (scan->in_string) {
            *ret_done = true;
            return at + 1;
        }
        scan->in_string = 1;
    }
    return n;
}

static size_t feed_scalar(const char *bytes, size_t n, bool *ret_done)
{
    for (size_t at = 0; at < n; at++) {
        if (scan_is_space(bytes[at]) || strchr(",:]}[{\"", bytes[at])) {
            *ret_done = true;
            return at;
        }
    }
    return n;
}

size_t scan_feed(struct scan *scan, const char *bytes, size_t n, bool *ret_done)
{
    *ret_done = false;
    if (scan->kind == SCAN_CONTAINER)
        return feed_container(scan, bytes, n, ret_done);
    return scan->kind == SCAN_STRING ? feed_string(scan, bytes, n, ret_done)
                                     : feed_scalar(bytes, n, ret_done);
}
