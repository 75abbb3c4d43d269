// The folders bring out the engine's own faults: a function that raises an error and does not say so, and TRY, evaluated over a
// dictionary of own and hidden values. Both run on an engine of the test's own over the folder's database file, so that they show
// what the folders do whatever the product makes of such functions.
#include <duckdb.h>

#include <string_view>

#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "tests/isolation/difference.h"
#include "tests/isolation/isolation_test_util.h"

namespace logquery::isolation {
namespace {

// planted(text): the text's length, or an error that quotes a text that is not empty and has no digit. The C API has no way to
// say that a function raises errors.
void Planted(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  auto* texts = static_cast<duckdb_string_t*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(input, 0)));
  auto* lengths = static_cast<int64_t*>(duckdb_vector_get_data(output));
  for (idx_t i = 0; i < duckdb_data_chunk_get_size(input); ++i) {
    const std::string_view text(duckdb_string_t_data(&texts[i]), duckdb_string_t_length(texts[i]));
    lengths[i] = static_cast<int64_t>(text.size());
    // The engine puts an empty text of its own into dictionaries.
    if (text.empty() || text.find_first_of("0123456789") != std::string_view::npos) continue;
    duckdb_scalar_function_set_error(info, base::StrCat("no digit in ", text).c_str());
    return;
  }
}

class Engine {
 public:
  explicit Engine(const FolderPlan& plan) : folder_(MakeFolder(plan)) {
    duckdb::ConfigHandle config;
    REQUIRE(duckdb_create_config(config.out()) == DuckDBSuccess);
    REQUIRE(duckdb_set_config(config.get(), "access_mode", "READ_ONLY") == DuckDBSuccess);
    REQUIRE(duckdb_set_config(config.get(), "threads", "1") == DuckDBSuccess);
    const std::string file = folder_->path() + "/logs.duckdb";
    REQUIRE(duckdb_open_ext(file.c_str(), database_.out(), config.get(), nullptr) == DuckDBSuccess);
    REQUIRE(duckdb_connect(database_.get(), connection_.out()) == DuckDBSuccess);
    duckdb_scalar_function function = duckdb_create_scalar_function();
    const duckdb::TypeHandle text(duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR));
    const duckdb::TypeHandle number(duckdb_create_logical_type(DUCKDB_TYPE_BIGINT));
    duckdb_scalar_function_set_name(function, "planted");
    duckdb_scalar_function_add_parameter(function, text.get());
    duckdb_scalar_function_set_return_type(function, number.get());
    duckdb_scalar_function_set_function(function, Planted);
    REQUIRE(duckdb_register_scalar_function(connection_.get(), function) == DuckDBSuccess);
    duckdb_destroy_scalar_function(&function);
  }

  // The one number of the query over the own rows.
  Answer Run(const std::string& value) {
    const std::string sql = "SELECT CAST(" + value + " AS BIGINT) FROM \"tenant.logs\" WHERE project = 'own'";
    duckdb::Result result;
    if (duckdb_query(connection_.get(), sql.c_str(), result.out()) != DuckDBSuccess) {
      return {absl::InvalidArgumentError(std::string(result.error())), ""};
    }
    return {absl::OkStatus(), base::StrCat(duckdb_value_int64(result.get(), 0, 0))};
  }

 private:
  std::unique_ptr<LogFolder> folder_;
  duckdb::DatabaseHandle database_;
  duckdb::ConnectionHandle connection_;
};

TEST_CASE("a function that raises an error and does not say so is found by the hidden value that it quotes") {
  Engine alone({}), shared({.hidden = Hidden::kOtherProject});
  const Answer expected = alone.Run("sum(planted(event_message))"), found = shared.Run("sum(planted(event_message))");
  INFO(expected.status << "\n" << found.status);
  CHECK(expected.status.ok());
  CHECK(Leak(expected).empty());
  CHECK_FALSE(Leak(found).empty());
  CHECK_FALSE(Difference(expected, found).empty());
}

TEST_CASE("a column without a dictionary does not reveal the planted fault") {
  Engine shared({.hidden = Hidden::kOtherProject});
  const Answer answer = shared.Run("sum(planted(number_unique))");
  INFO(answer.status);
  CHECK(answer.status.ok());
}

TEST_CASE("a TRY over a dictionary is detected by its values") {
  const char* value = "count(TRY(list_transform([[event_message][1]], lambda e: CAST(e AS BIGINT))[1]))";
  Engine alone({}), shared({.hidden = Hidden::kOtherProject});
  const Answer expected = alone.Run(value), found = shared.Run(value);
  CHECK(expected.rows == "9000");
  CHECK_FALSE(Difference(expected, found).empty());
}

}  // namespace
}  // namespace logquery::isolation
