// Reads Arrow IPC streams that RowFormat::kArrow has written, by a reader of FlatBuffers of its own.
//
//     const ArrowStream stream = ReadArrowStream(bytes);
//     for (const ArrowStream::Batch& batch : stream.batches) {
//       ArrowArray array;
//       MakeArrays(batch, schema, array);   // points into `stream`; release as usual
//     }
#ifndef LOGQUERY_TESTS_SUPPORT_ARROW_STREAM_H_
#define LOGQUERY_TESTS_SUPPORT_ARROW_STREAM_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "logquery/arrow.h"
#include "logquery/type.h"

namespace logquery::testing {

struct ArrowStream {
  struct Column {
    std::string name;
    int type = 0;  // its number in the union Type of Arrow's Schema.fbs
    bool nullable = false;
    std::string extension;  // "arrow.json"; empty: none
    std::vector<Column> children;
  };
  struct Node {
    int64_t length;
    int64_t nulls;
  };
  struct Batch {
    int64_t rows = 0;
    std::vector<Node> nodes;
    std::vector<std::string_view> buffers;
    size_t bytes = 0;  // of the whole message
  };
  std::string bytes;
  std::vector<Column> columns;
  std::vector<Batch> batches;
};

// Throws std::runtime_error where the bytes are no whole stream: a message is cut off or out of alignment, a buffer is outside of
// its body, or the end is missing or not the end.
ArrowStream ReadArrowStream(std::string_view bytes);

// Sets `array` to a struct with an array for each column, whose buffers are those of the stream. Throws std::runtime_error where
// the batch has not what these columns need.
void MakeArrays(const ArrowStream::Batch& batch, const Schema& schema, ArrowArray& array);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_ARROW_STREAM_H_
