// Reads JSON that the options of all remote engines have in common: named files, secrets and tables.
#ifndef LOGQUERY_LIB_BACKEND_ENGINE_OPTIONS_H_
#define LOGQUERY_LIB_BACKEND_ENGINE_OPTIONS_H_

#include <functional>
#include <string>

#include "lib/base/json_fields.h"

namespace logquery::backend {

// Whole megabytes for DuckDB, as in options and files.
inline constexpr base::JsonFields::Range kMemoryLimitMb = {64, 1 << 24};
inline constexpr base::JsonFields::Range kEngineThreads = {0, 1'024};

// Returns the path in the field, resolved against `folder` if it is relative; empty: the field is absent.
std::string ReadPath(base::JsonFields& fields, const char* key, const std::string& folder);

// Returns the text of the file in the field, of at most 16 MiB; empty: the field is absent. Errors are added to
// `fields`.
std::string ReadNamedFile(base::JsonFields& fields, const char* key, const std::string& folder);

// Reads a secret: {"file": PATH}, without a final newline, or {"env": NAME}; empty: the field is absent. Errors do not
// contain it.
std::string ReadSecret(base::JsonFields& fields, const char* key, const std::string& folder);

// Passes each entry of the object "tables" to `read` with its name. Rejects an empty object and unknown fields.
void ReadTables(base::JsonFields& fields,
                const std::function<void(base::JsonFields& table, const std::string& name)>& read);

}  // namespace logquery::backend

#endif  // LOGQUERY_LIB_BACKEND_ENGINE_OPTIONS_H_
