// Parses the text with libpq, and takes over the settings for which we have options.
#include "lib/engines/postgres/backend/dsn.h"

#include <libpq-fe.h>

#include <memory>
#include <string_view>

#include "absl/strings/numbers.h"
#include "lib/base/strings.h"

namespace logquery::postgres {
namespace {

struct Free {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};

absl::Status Wrong(std::string_view what) {
  return absl::InvalidArgumentError(base::StrCat("the connection string ", what));
}

// OK: it is taken over, or is empty.
absl::Status Take(std::string_view name, const std::string& value, PostgresOptions& options) {
  if (name == "host") {
    options.host = value;
  } else if (name == "dbname") {
    options.database = value;
  } else if (name == "user") {
    options.user = value;
  } else if (name == "sslmode") {
    if (value != "verify-full" && value != "verify-ca" && value != "require" && value != "disable") {
      return Wrong("has an sslmode that is none of verify-full, verify-ca, require and disable");
    }
    options.tls = value;
  } else if (name == "sslrootcert") {
    options.ca_file = value;
  } else if (name == "sslcert") {
    options.certificate_file = value;
  } else if (name == "sslkey") {
    options.key_file = value;
  } else if (name == "port") {
    if (!absl::SimpleAtoi(value, &options.port) || options.port < 1 || options.port > 65'535) {
      return Wrong("has a port that is not between 1 and 65535");
    }
  } else if (name == "connect_timeout") {
    int seconds = 0;
    if (!absl::SimpleAtoi(value, &seconds) || seconds < 1 || seconds > 3'600) {
      return Wrong("has a connect_timeout that is not between 1 and 3600 seconds");
    }
    options.connect_timeout = absl::Seconds(seconds);
  } else if (name == "password") {
    return Wrong(
        "has a password, which everybody on this machine can read in the list of processes; put it into a file that "
        "--password-file names, or into the variable PGPASSWORD");
  } else if (name != "application_name") {
    return Wrong(
        base::StrCat("has the setting ", name,
                     ", which is not supported; there are host, port, dbname, user, sslmode, sslrootcert, sslcert, "
                     "sslkey and connect_timeout"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<PostgresOptions> OptionsFromDsn(const std::string& dsn) {
  char* words = nullptr;
  const std::unique_ptr<PQconninfoOption, Free> parsed(PQconninfoParse(dsn.c_str(), &words));
  if (parsed == nullptr) {
    PQfreemem(words);  // they quote the text
    return Wrong("is not one; it is such as postgres://reader@db.internal:5432/logs");
  }
  PostgresOptions options;
  for (const PQconninfoOption* one = parsed.get(); one->keyword != nullptr; ++one) {
    if (one->val == nullptr || *one->val == '\0') continue;
    if (absl::Status taken = Take(one->keyword, one->val, options); !taken.ok()) return taken;
  }
  if (options.host.empty()) return Wrong("names no host");
  if (options.user.empty()) return Wrong("names no user");
  if (options.database.empty()) return Wrong("names no database");
  return options;
}

}  // namespace logquery::postgres
