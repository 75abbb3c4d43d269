// Reads the JSON of a schema file (schema_file.h) to its end, and collects every problem with the value that it is about.
//
//     base::JsonProblems problems;
//     SchemaFile file = ReadSchema(json, problems);
#ifndef LOGQUERY_LIB_MODEL_SCHEMA_READER_H_
#define LOGQUERY_LIB_MODEL_SCHEMA_READER_H_

#include "lib/base/json_problems.h"
#include "lib/base/strings.h"
#include "lib/model/schema_file.h"
#include "nlohmann/json_fwd.hpp"

namespace logquery::model {

// With a problem, each table of the file is still in the result, without what is wrong in it. An entry of a name in `extended` that
// has "fields" declares these alone, as SchemaFile::further.
SchemaFile ReadSchema(const nlohmann::ordered_json& json, base::JsonProblems& problems,
                      const base::NameSet& extended = {});

}  // namespace logquery::model

#endif  // LOGQUERY_LIB_MODEL_SCHEMA_READER_H_
