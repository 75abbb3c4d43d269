// Encodes the rows of one execution as an answer's body, in the call's format.
//
//     LOGQUERY_ASSIGN_OR_RETURN(const auto encoder, AnswerEncoder::Create(schema, options, place, parquet));
//     LOGQUERY_RETURN_IF_ERROR(backend.Execute(query, bindings, limits, cancellation, encoder->rows()));
//     LOGQUERY_RETURN_IF_ERROR(encoder->Finish(answer));
//
// Not thread-safe.
#ifndef LOGQUERY_LIB_RESULT_ANSWER_ENCODER_H_
#define LOGQUERY_LIB_RESULT_ANSWER_ENCODER_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/result/body_builder.h"
#include "logquery/batch.h"
#include "logquery/parquet_writer.h"
#include "logquery/query_answer.h"
#include "logquery/row_encoder.h"
#include "logquery/type.h"

namespace logquery::result {

class AnswerEncoder {
 public:
  // Borrows `parquet` and options.redactor. `options` need no drain. Statuses of ParquetWriter::Begin; Unavailable: no file can be
  // made; Internal: the format is kParquet and `parquet` is nullptr.
  static absl::StatusOr<std::unique_ptr<AnswerEncoder>> Create(const Schema& schema, EncodeOptions options,
                                                               const BodyPlace& place, ParquetWriter* parquet);
  virtual ~AnswerEncoder() = default;

  // Takes the rows. Its Append returns the statuses of RowEncoder and ParquetFile.
  virtual BatchSink& rows() = 0;
  // Sets the answer's body or file. May be called once, after all rows. Statuses: as for rows().
  virtual absl::Status Finish(QueryAnswer& answer) = 0;
};

}  // namespace logquery::result

#endif  // LOGQUERY_LIB_RESULT_ANSWER_ENCODER_H_
