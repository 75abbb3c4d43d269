// Small logs by chance, with what makes queries differ: records that are not there, NULLs, ties, empty lists.
//
//     FuzzLogs logs = MakeLogs(choices);
//     WriteFile(logs.relay, …)
#ifndef LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_LOGS_H_
#define LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_LOGS_H_

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/fuzz/differential/choices.h"
#include "tests/fuzz/differential/grammar.h"

namespace logquery::fuzz {

using Json = nlohmann::ordered_json;

inline constexpr char kProjects[][3] = {"p1", "p2", "p3"};

// How the logs are declared: records as records with hot columns, or every record as an ARRAY of one.
std::string SchemaText(bool lists);

// A table's name to its rows, records as objects.
using FuzzLogs = std::map<std::string, std::vector<Json>>;
FuzzLogs MakeLogs(Choices& choices);

// The same rows with every record as a list of one, or of none.
FuzzLogs AsLists(const FuzzLogs& logs);
FuzzLogs OfProject(const FuzzLogs& logs, const std::string& project);

// Names that a query may use: a log's columns, and a record's fields, without a name before them.
const std::vector<Column>& LogColumns(const std::string& log);
const std::vector<Column>& RecordColumns(const std::string& record);

}  // namespace logquery::fuzz

#endif  // LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_LOGS_H_
