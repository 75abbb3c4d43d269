// Owners of the objects of DuckDB's C API; each calls the API's matching destroy function.
//
//     ValueHandle value(duckdb_create_int64(5));
//     StatementHandle statement;
//     duckdb_prepare(connection, sql, statement.out());
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_HANDLES_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_HANDLES_H_

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
  // For API functions that fill the handle; destroys the previous object first.
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

// duckdb_appender_destroy also flushes; to learn whether that worked, close the appender first.
inline void DestroyAppender(duckdb_appender* appender) { duckdb_appender_destroy(appender); }
using AppenderHandle = Handle<duckdb_appender, DestroyAppender>;

// The API's result is a struct, not a pointer.
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

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_HANDLES_H_
