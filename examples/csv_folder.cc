// A folder of CSV files as tables: each file is one, its first line names the columns, and the whole dialect is asked of them.
//
//     example_csv_folder FOLDER 'SELECT city, COUNT(*) AS n FROM visits GROUP BY city'
//
// Without arguments it makes a folder of its own and asks that.
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "logquery/duckdb/source_backend.h"
#include "logquery/query_service.h"
#include "logquery/table_source.h"

namespace {

namespace fs = std::filesystem;
using logquery::Type;
using logquery::Value;

using Record = std::vector<std::string>;

// The next record (RFC 4180: fields in quotes may hold commas, line ends and doubled quotes); nullopt at the end.
std::optional<Record> ReadRecord(std::istream& in) {
  if (in.peek() == std::char_traits<char>::eof()) return std::nullopt;
  Record record(1);
  bool quoted = false;
  for (int c = in.get(); c != std::char_traits<char>::eof(); c = in.get()) {
    if (quoted && c == '"' && in.peek() == '"') {
      record.back() += static_cast<char>(in.get());
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      record.emplace_back();
    } else if (!quoted && c == '\n') {
      return record;
    } else if (quoted || c != '\r') {
      record.back() += static_cast<char>(c);
    }
  }
  return record;
}

std::optional<int64_t> Number(const std::string& text) {
  int64_t number = 0;
  const std::from_chars_result read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::optional<absl::Time> Time(const std::string& text) {
  absl::Time time;
  return absl::ParseTime(absl::RFC3339_full, text, &time, nullptr) ? std::optional(time) : std::nullopt;
}

// An empty field is NULL, as is what does not fit the column's type any more because the file has changed.
Value ValueOf(const std::string& text, const Type& type) {
  if (type == Type::Int64() && Number(text)) return Value::Int64(*Number(text));
  if (type == Type::Timestamp() && Time(text)) return Value::Timestamp(*Time(text));
  return type == Type::String() && !text.empty() ? Value::String(text) : Value::Null(type);
}

class CsvFolder : public logquery::TableSource {
 public:
  explicit CsvFolder(fs::path folder) : folder_(std::move(folder)) {}

  absl::StatusOr<logquery::Catalog> ReadCatalog() override {
    std::vector<logquery::Table> tables;
    std::error_code error;
    for (const fs::directory_entry& file : fs::directory_iterator(folder_, error)) {
      if (file.path().extension() != ".csv") continue;
      std::ifstream in(file.path());
      const std::optional<Record> names = ReadRecord(in);
      if (!names) continue;
      logquery::Table& table = tables.emplace_back();
      table.name = file.path().stem().string();
      for (const std::string& name : *names) table.columns.push_back({name, Type::String()});
      FindTypes(in, table.columns);
    }
    if (error) return absl::NotFoundError("the folder can't be read: " + error.message());
    return logquery::Catalog(std::move(tables), 1);
  }

  // Rows go out in batches of 1,000, so that a file may be larger than memory.
  absl::Status Scan(const logquery::ScanRequest& request, const logquery::CancellationToken&,
                    logquery::BatchSink& sink) override {
    std::ifstream in(folder_ / (request.table->name + ".csv"));
    if (!in || !ReadRecord(in)) return absl::UnavailableError("the file of " + request.table->name + " can't be read");
    logquery::Schema schema;
    for (const size_t column : request.columns) schema.push_back(request.table->columns[column]);
    std::vector<std::vector<Value>> rows;
    for (std::optional<Record> record = ReadRecord(in); record; record = ReadRecord(in)) {
      std::vector<Value>& row = rows.emplace_back();
      for (size_t i = 0; i < schema.size(); ++i) {
        const size_t place = request.columns[i];
        row.push_back(ValueOf(place < record->size() ? (*record)[place] : "", schema[i].type));
      }
      if (rows.size() < 1'000) continue;
      if (absl::Status status = sink.Append(logquery::ValueBatch(schema, rows).batch()); !status.ok()) return status;
      rows.clear();
    }
    return rows.empty() ? absl::OkStatus() : sink.Append(logquery::ValueBatch(schema, rows).batch());
  }

 private:
  // INT64 or TIMESTAMP where every field that is not empty is one.
  static void FindTypes(std::istream& in, logquery::Schema& columns) {
    std::vector<size_t> filled(columns.size()), numbers(columns.size()), times(columns.size());
    for (std::optional<Record> record = ReadRecord(in); record; record = ReadRecord(in)) {
      for (size_t i = 0; i < columns.size() && i < record->size(); ++i) {
        filled[i] += (*record)[i].empty() ? 0 : 1;
        numbers[i] += Number((*record)[i]) ? 1 : 0;
        times[i] += Time((*record)[i]) ? 1 : 0;
      }
    }
    for (size_t i = 0; i < columns.size(); ++i) {
      if (filled[i] > 0 && numbers[i] == filled[i]) columns[i].type = Type::Int64();
      if (filled[i] > 0 && times[i] == filled[i]) columns[i].type = Type::Timestamp();
    }
  }

  const fs::path folder_;
};

int Fail(const absl::Status& status) { return std::fprintf(stderr, "%s\n", std::string(status.message()).c_str()), 1; }

absl::StatusOr<logquery::QueryAnswer> Ask(const fs::path& folder, const std::string& sql) {
  auto backend = logquery::OpenOverSource(std::make_shared<CsvFolder>(folder), {});
  if (!backend.ok()) return backend.status();
  logquery::Endpoint endpoint;
  endpoint.id = "5e0c2f57-5d0e-4b1b-9a53-0a6f4f0f4c11";
  endpoint.name = "ask";
  endpoint.query = sql;
  logquery::QueryServiceOptions options;
  options.backend = backend->get();
  options.endpoints = {endpoint};
  auto service = logquery::QueryService::Create(options);
  if (!service.ok()) return service.status();
  logquery::QueryRequest request;
  request.endpoint = "ask";
  return (*service)->Run(request);
}

// A folder of two tables, gone at the end.
struct SampleFolder {
  SampleFolder() {
    fs::create_directories(path);
    std::ofstream(path / "visits.csv") << "at,city,seconds\n"
                                          "2026-03-04T05:00:00Z,Bern,12\n"
                                          "2026-03-04T05:06:00Z,\"Chur, old town\",\n"
                                          "2026-03-05T00:00:00Z,Bern,30\n";
    std::ofstream(path / "cities.csv") << "name,people\nBern,134000\n\"Chur, old town\",3000\n";
  }
  ~SampleFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  const fs::path path = fs::temp_directory_path() / ("logquery_csv_" + std::to_string(getpid()));
};

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3) {
    const auto answer = Ask(argv[1], argv[2]);
    return answer.ok() ? (std::puts(answer->body.c_str()), 0) : Fail(answer.status());
  }
  const SampleFolder sample;
  const auto answer = Ask(sample.path,
                          "SELECT v.city, c.people, DATE(MAX(v.at)) AS last, SUM(v.seconds) AS seconds "
                          "FROM visits AS v JOIN cities AS c ON c.name = v.city GROUP BY 1, 2 ORDER BY people DESC");
  if (!answer.ok()) return Fail(answer.status());
  std::puts(answer->body.c_str());
  const std::string wanted = R"({"result":[{"city":"Bern","people":134000,"last":"2026-03-05","seconds":42},)"
                             R"({"city":"Chur, old town","people":3000,"last":"2026-03-04","seconds":null}]})";
  return answer->body == wanted ? 0 : 1;
}
