// What the options of engines elsewhere have in common as JSON: files and secrets that are named, and durations.
#ifndef LOGQUERY_LIB_BACKEND_ENGINE_OPTIONS_H_
#define LOGQUERY_LIB_BACKEND_ENGINE_OPTIONS_H_

#include <functional>
#include <string>

#include "absl/time/time.h"
#include "lib/base/json_fields.h"

namespace logquery::backend {

// Whole megabytes that DuckDB may have, as options and files have them.
inline constexpr base::JsonFields::Range kMemoryLimitMb = {64, 1 << 24};
inline constexpr base::JsonFields::Range kEngineThreads = {0, 1'024};

// The path that the field holds, taken from `folder` where it is relative; empty: the field is absent.
std::string ReadPath(base::JsonFields& fields, const char* key, const std::string& folder);

// The text of the file that the field names, of at most 16 MiB; empty: the field is absent. What is wrong goes to `fields`.
std::string ReadNamedFile(base::JsonFields& fields, const char* key, const std::string& folder);

// A secret: {"file": PATH}, without the last newline, or {"env": NAME}; empty: the field is absent. Errors never hold it.
std::string ReadSecret(base::JsonFields& fields, const char* key, const std::string& folder);

// Hands each entry of the object "tables" to `read` with its name; refuses an object without one, and fields that were not read.
void ReadTables(base::JsonFields& fields,
                const std::function<void(base::JsonFields& table, const std::string& name)>& read);

// A whole number of milliseconds, up to a day.
absl::Duration ReadMilliseconds(base::JsonFields& fields, const char* key, absl::Duration fallback);

}  // namespace logquery::backend

#endif  // LOGQUERY_LIB_BACKEND_ENGINE_OPTIONS_H_
