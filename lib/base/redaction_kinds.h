// Kinds of redaction as one text, in which they travel with a query to the function that redacts.
#ifndef LOGQUERY_LIB_BASE_REDACTION_KINDS_H_
#define LOGQUERY_LIB_BASE_REDACTION_KINDS_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "logquery/redactor.h"

namespace logquery::base {

// The same text for the same kinds, other texts for others; empty where there are none but addresses.
std::string PrintRedactionKinds(const RedactionKinds& kinds);
// What was printed. InvalidArgument: any other text.
absl::StatusOr<RedactionKinds> ParseRedactionKinds(std::string_view text);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_REDACTION_KINDS_H_
