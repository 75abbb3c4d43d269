// The calls that `logquery shadow` makes again, read from lines: of a server's log, or of URLs.
//
//     {"message":"request","endpoint":"logs.all","parameters":{"project":"abc"},…}     of serve --log-parameters
//     https://logs.example/api/endpoints/query/logs.all?project=abc
//     /endpoints/query/name/logs.all?project=abc
#ifndef LOGQUERY_SHIM_CLI_MIGRATE_SHADOW_CALL_H_
#define LOGQUERY_SHIM_CLI_MIGRATE_SHADOW_CALL_H_

#include <optional>
#include <string>
#include <string_view>

#include "logquery/parameter_binder.h"

namespace logquery::shim {

struct ShadowCall {
  std::string endpoint;  // its name or id
  ParameterTexts parameters;
  bool redact_pii = false;

  // "a=1&b=x%20y".
  std::string QueryString() const;
  // The text of the parameter `sql`; empty: the call has none.
  std::string_view sql() const;
};

// nullopt: the line has no call.
std::optional<ShadowCall> ReadShadowCall(std::string_view line);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_MIGRATE_SHADOW_CALL_H_
