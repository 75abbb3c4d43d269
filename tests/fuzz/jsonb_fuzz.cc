// JSON as a server that is not what it says may send it: whatever the bytes, each row has every column, or the reading fails.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lib/backend/column_builder.h"
#include "lib/backend/json_reader.h"

namespace {

using logquery::Type;

const Type& Nested() {
  static const Type& type = *new Type(Type::Record({{"s", Type::String()},
                                                    {"n", Type::Int64()},
                                                    {"b", Type::Bool()},
                                                    {"x", Type::Float64()},
                                                    {"t", Type::Timestamp()},
                                                    {"j", Type::Json()},
                                                    {"a", Type::Array(Type::Int64())},
                                                    {"r", Type::Record({{"s", Type::String()}})},
                                                    {"l", Type::Array(Type::Struct({{"n", Type::Int64()}}))}}));
  return type;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  logquery::backend::ColumnBuilder column(Nested());
  logquery::backend::TextBlocks texts;
  if (!logquery::backend::AppendJson(json, column, texts).ok()) return 0;
  if (column.rows() != 1) std::abort();
  for (size_t i = 0; i < column.child_count(); ++i) {
    if (column.child(i).rows() != 1) std::abort();
  }
  // Reads all of it.
  if (column.View().ValueAt(0).type() != Nested()) std::abort();
  return 0;
}
