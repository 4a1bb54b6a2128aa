/* conversion.h - conversion reviews: objects in one version in, the same in another out. */
#pragma once
#include "webhook/webhook.h"

/* Answers the review in text. -EBADMSG: not JSON or not a review; an object that cannot be
 * converted fails the review, not the call. */
int conversion_answer(struct arena *a, converter *convert, const char *text, size_t len,
                      struct buf *out, struct error *err);
