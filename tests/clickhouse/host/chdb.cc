// A piece of a stream in a binary format repeats the head, which a server sends once: it is cut off each piece but the first.
#include "tests/clickhouse/host/chdb.h"

#include <dlfcn.h>

#include <cstdio>
#include <stdexcept>
#include <utility>

namespace logquery::testing {
namespace {

template <typename Function>
void Find(void* library, const char* name, Function* function) {
  void* const found = dlsym(library, name);
  if (found == nullptr) throw std::runtime_error(std::string("the library has no ") + name);
  *function = reinterpret_cast<Function>(found);
}

EngineError ErrorOf(std::string words) {
  EngineError error;
  if (std::sscanf(words.c_str(), "Code: %d.", &error.code) != 1) error.code = 1002;  // UNKNOWN_EXCEPTION
  error.words = std::move(words);
  return error;
}

// A varint, after which *at stands.
uint64_t Varint(std::string_view bytes, size_t* at) {
  uint64_t number = 0;
  for (int shift = 0; *at < bytes.size() && shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[(*at)++]);
    number |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) break;
  }
  return number;
}

// The names and types that RowBinaryWithNamesAndTypes begins with.
std::string HeadOf(std::string_view bytes) {
  size_t at = 0;
  const uint64_t columns = Varint(bytes, &at);
  for (uint64_t i = 0; i < 2 * columns && at < bytes.size(); ++i) at += Varint(bytes, &at);
  return std::string(bytes.substr(0, at));
}

}  // namespace

Chdb::Chdb(const std::string& library, std::vector<std::string> arguments) : arguments_(std::move(arguments)) {
  arguments_.insert(arguments_.begin(), "clickhouse");
  void* const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) throw std::runtime_error(dlerror());
  Find(loaded, "chdb_connect", &functions_.connect);
  Find(loaded, "chdb_close_conn", &functions_.close);
  Find(loaded, "chdb_query_with_params_n", &functions_.query);
  Find(loaded, "chdb_stream_query_with_params_n", &functions_.stream);
  Find(loaded, "chdb_stream_fetch_result", &functions_.fetch);
  Find(loaded, "chdb_stream_cancel_query", &functions_.cancel);
  Find(loaded, "chdb_destroy_query_result", &functions_.destroy);
  Find(loaded, "chdb_result_buffer", &functions_.buffer);
  Find(loaded, "chdb_result_length", &functions_.length);
  Find(loaded, "chdb_result_error", &functions_.error);
}

void* Chdb::Call(Query query, void* connection, std::string_view sql, std::string_view format,
                 const Session::Parameters& parameters) {
  std::vector<const char*> names;
  std::vector<const char*> values;
  std::vector<size_t> name_lengths;
  std::vector<size_t> value_lengths;
  for (const auto& [name, value] : parameters) {
    names.push_back(name.data());
    name_lengths.push_back(name.size());
    values.push_back(value.data());
    value_lengths.push_back(value.size());
  }
  return query(connection, sql.data(), sql.size(), format.data(), format.size(), names.data(), name_lengths.data(),
               values.data(), value_lengths.data(), names.size());
}

std::string Chdb::Take(void* result) const {
  if (result == nullptr) throw EngineError{1002, "Code: 1002. chDB gave no result"};
  if (const char* const error = functions_.error(result)) {
    std::string words = error;
    functions_.destroy(result);
    throw ErrorOf(std::move(words));
  }
  const size_t length = functions_.length(result);
  std::string bytes(length == 0 ? "" : functions_.buffer(result), length);
  functions_.destroy(result);
  return bytes;
}

Chdb::Session::Session(const Chdb& engine) : engine_(engine) {
  std::vector<std::string> words = engine.arguments_;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  connection_ = engine.functions_.connect(static_cast<int>(arguments.size()), arguments.data());
  if (connection_ == nullptr) throw EngineError{210, "Code: 210. chDB can't be opened"};
}

Chdb::Session::~Session() {
  if (stream_ != nullptr) {
    engine_.functions_.cancel(*connection_, stream_);
    engine_.functions_.destroy(stream_);
  }
  engine_.functions_.close(connection_);
}

std::string Chdb::Session::Run(std::string_view sql, std::string_view format, const Parameters& parameters) {
  return engine_.Take(Call(engine_.functions_.query, *connection_, sql, format, parameters));
}

void Chdb::Session::Start(std::string_view sql, std::string_view format, const Parameters& parameters) {
  void* const stream = Call(engine_.functions_.stream, *connection_, sql, format, parameters);
  if (stream == nullptr || engine_.functions_.error(stream) != nullptr) {
    engine_.Take(stream);
    return;
  }
  stream_ = stream;
  has_head_ = format == "RowBinaryWithNamesAndTypes";
}

std::string Chdb::Session::Next() {
  std::string piece = engine_.Take(engine_.functions_.fetch(*connection_, stream_));
  if (is_first_ && has_head_) head_ = HeadOf(piece);
  if (!is_first_ && piece.starts_with(head_)) piece.erase(0, head_.size());
  is_first_ = false;
  return piece;
}

}  // namespace logquery::testing
