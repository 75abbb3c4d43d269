// Reads no more than a secret can have, so that a wrong file costs nothing.
#include "lib/base/given_secret.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::base {
namespace {

constexpr std::streamsize kMaxSecret = 4'096;

}  // namespace

absl::StatusOr<std::string> ReadSecret(std::istream& in) {
  std::string text(kMaxSecret + 1, '\0');
  in.read(text.data(), kMaxSecret + 1);
  text.resize(static_cast<size_t>(in.gcount()));
  if (text.size() > static_cast<size_t>(kMaxSecret)) {
    return absl::InvalidArgumentError(
        StrCat("what is given as the secret has more than ", kMaxSecret, " bytes; it is to be the secret alone"));
  }
  if (!text.empty() && text.back() == '\n') text.pop_back();
  if (!text.empty() && text.back() == '\r') text.pop_back();
  return text;
}

absl::StatusOr<std::string> ReadSecretFile(const std::string& path) {
  // A mounted secret is often readable by all of a container; who may write it decides who may call. Pipes have no such
  // mode.
  struct stat info {};
  if (stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && (info.st_mode & S_IWOTH) != 0) {
    return absl::FailedPreconditionError(StrCat("everybody may write ", path, ", and so choose the secret: chmod o-w"));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(StrCat("can't read the secret in ", path, ": ", std::strerror(errno)));
  absl::StatusOr<std::string> secret = ReadSecret(file);
  if (file.bad() || (secret.ok() && secret->empty())) {
    return absl::NotFoundError(StrCat("there is no secret in ", path));
  }
  if (!secret.ok()) return absl::InvalidArgumentError(StrCat(path, ": ", Message(secret.status())));
  return secret;
}

absl::StatusOr<std::string> SecretOfVariable(const std::string& name, const Variables& variable) {
  const std::string name_of_file = name + "_FILE";
  const char* const value = variable(name);
  const char* const path = variable(name_of_file);
  if (value != nullptr && path != nullptr) {
    return absl::InvalidArgumentError(
        StrCat("the variables ", name, " and ", name_of_file, " are both set; leave one of them out"));
  }
  if (path != nullptr) {
    const absl::StatusOr<std::string> secret = ReadSecretFile(path);
    if (secret.ok()) return secret;
    return absl::Status(secret.status().code(), StrCat(name_of_file, ": ", Message(secret.status())));
  }
  if (value != nullptr && *value != '\0') return std::string(value);
  return absl::InvalidArgumentError(StrCat("the variable ", name, value == nullptr ? " is not set" : " is empty",
                                           ": set it to the secret, or ", name_of_file,
                                           " to the path of a file with it"));
}

}  // namespace logquery::base
