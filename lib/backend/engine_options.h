// What the options of all engines elsewhere have in common: files and secrets, which are named and not written.
#ifndef LOGQUERY_LIB_BACKEND_ENGINE_OPTIONS_H_
#define LOGQUERY_LIB_BACKEND_ENGINE_OPTIONS_H_

#include <string>

#include "absl/status/statusor.h"
#include "nlohmann/json_fwd.hpp"

namespace logquery::backend {

// The whole text of a file. `place` names the option in errors. InvalidArgument: it can't be read, or is over 16 MiB.
absl::StatusOr<std::string> ReadOptionFile(const std::string& place, const std::string& path);

// A secret of the form {"file": PATH} or {"env": NAME}; the last newline of a file is not part of it. InvalidArgument: it is
// written in the options, another form, or can't be read. No message has the secret.
absl::StatusOr<std::string> ReadSecret(const nlohmann::ordered_json& json, const std::string& place);

}  // namespace logquery::backend

#endif  // LOGQUERY_LIB_BACKEND_ENGINE_OPTIONS_H_
