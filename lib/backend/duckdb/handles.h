// Owners of what DuckDB's C API hands out, each destroyed by the function that the API names for it.
//
//     ValueHandle value(duckdb_create_int64(5));
//     StatementHandle statement;
//     duckdb_prepare(connection, sql, statement.out());
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_HANDLES_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_HANDLES_H_

#include <duckdb.h>

#include <string_view>
#include <utility>

namespace logquery::duckdb {

template <typename T, auto Destroy>
class Handle {
 public:
  Handle() = default;
  explicit Handle(T value) : value_(value) {}
  Handle(Handle&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      value_ = std::exchange(other.value_, nullptr);
    }
    return *this;
  }
  ~Handle() { reset(); }

  T get() const { return value_; }
  explicit operator bool() const { return value_ != nullptr; }
  // For a function that fills it; what was held goes first.
  T* out() {
    reset();
    return &value_;
  }
  void reset() {
    if (value_ != nullptr) Destroy(&value_);
    value_ = nullptr;
  }

 private:
  T value_ = nullptr;
};

using DatabaseHandle = Handle<duckdb_database, duckdb_close>;
using ConnectionHandle = Handle<duckdb_connection, duckdb_disconnect>;
using ConfigHandle = Handle<duckdb_config, duckdb_destroy_config>;
using StatementHandle = Handle<duckdb_prepared_statement, duckdb_destroy_prepare>;
using PendingHandle = Handle<duckdb_pending_result, duckdb_destroy_pending>;
using ValueHandle = Handle<duckdb_value, duckdb_destroy_value>;
using TypeHandle = Handle<duckdb_logical_type, duckdb_destroy_logical_type>;
using ChunkHandle = Handle<duckdb_data_chunk, duckdb_destroy_data_chunk>;

// duckdb_appender_destroy also flushes: whoever wants to know whether that worked closes the appender before.
inline void DestroyAppender(duckdb_appender* appender) { duckdb_appender_destroy(appender); }
using AppenderHandle = Handle<duckdb_appender, DestroyAppender>;

// The result is a struct of the API's, not a pointer.
class Result {
 public:
  Result() = default;
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;
  ~Result() { reset(); }

  duckdb_result* get() { return &result_; }
  duckdb_result* out() {
    reset();
    return &result_;
  }
  std::string_view error() {
    const char* text = duckdb_result_error(&result_);
    return text == nullptr ? std::string_view() : std::string_view(text);
  }
  void reset() {
    duckdb_destroy_result(&result_);
    result_ = duckdb_result{};
  }

 private:
  duckdb_result result_{};
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_HANDLES_H_
