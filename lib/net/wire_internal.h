/* wire_internal.h - what the two halves of the wire module share. */
#pragma once
#include "net/wire.h"

/* Reads the head_len bytes of a head; WIRE_WHOLE, with .phase set for the body, or WIRE_BAD. */
enum wire_step wire_read_head(struct wire *wire, char *head);
enum wire_step wire_refuse(struct wire *wire, int status, const char *why);
bool wire_is_token(unsigned char c);
