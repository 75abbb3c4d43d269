// Kinds of redaction as one text, which is passed with a query to the function that redacts.
#ifndef LOGQUERY_LIB_BASE_REDACTION_KINDS_H_
#define LOGQUERY_LIB_BASE_REDACTION_KINDS_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "logquery/redactor.h"

namespace logquery::base {

// Equal kinds give equal texts, and different kinds different ones; empty if only addresses are redacted.
std::string PrintRedactionKinds(const RedactionKinds& kinds);
// Parses the printed text. InvalidArgument: any other text.
absl::StatusOr<RedactionKinds> ParseRedactionKinds(std::string_view text);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_REDACTION_KINDS_H_
