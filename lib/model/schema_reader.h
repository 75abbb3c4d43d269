// Parses the JSON of a schema file (schema_file.h) completely, and collects every problem with its place.
//
//     base::JsonProblems problems;
//     SchemaFile file = ReadSchema(json, problems);
#ifndef LOGQUERY_LIB_MODEL_SCHEMA_READER_H_
#define LOGQUERY_LIB_MODEL_SCHEMA_READER_H_

#include "lib/base/json/value.h"
#include "lib/base/json_problems.h"
#include "lib/base/strings.h"
#include "lib/model/schema_file.h"

namespace logquery::model {

// If there are problems, the result still has every table of the file, without the invalid parts. An entry whose name is in
// `extended` and that has "fields" declares only these (SchemaFile::further).
SchemaFile ReadSchema(const base::Json& json, base::JsonProblems& problems, const base::NameSet& extended = {});

}  // namespace logquery::model

#endif  // LOGQUERY_LIB_MODEL_SCHEMA_READER_H_
