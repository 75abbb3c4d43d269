// Secrets that are given to a program: on standard input, in a file or in a variable, never as an argument, which every user of
// the machine can see.
#ifndef LOGQUERY_LIB_BASE_GIVEN_SECRET_H_
#define LOGQUERY_LIB_BASE_GIVEN_SECRET_H_

#include <istream>
#include <string>

#include "absl/status/statusor.h"
#include "lib/base/variables.h"

namespace logquery::base {

// All that `in` has, without the end of its last line. InvalidArgument: it is longer than a secret can be.
absl::StatusOr<std::string> ReadSecret(std::istream& in);

// The same of a file. NotFound: it can't be read. FailedPrecondition: everybody may write it.
absl::StatusOr<std::string> ReadSecretFile(const std::string& path);

// The value of the variable `name` or, if unset, of the file that the variable NAME_FILE names, as containers' secrets come.
// InvalidArgument: neither is set, the variable is empty, or both are set. NotFound: the file can't be read.
// FailedPrecondition: everybody may write it.
absl::StatusOr<std::string> SecretOfVariable(const std::string& name, const Variables& variable);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_GIVEN_SECRET_H_
