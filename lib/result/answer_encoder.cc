// Text and streams of Arrow go through memory piece by piece. A Parquet file is written as a file, and read back if it is short.
#include "lib/result/answer_encoder.h"

#include <string>
#include <string_view>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/result/spill_file.h"

namespace logquery::result {
namespace {

class StreamEncoder final : public AnswerEncoder {
 public:
  StreamEncoder(const Schema& schema, EncodeOptions options, const BodyPlace& place)
      : body_(place), rows_(schema, Drained(std::move(options), place)) {}

  BatchSink& rows() override { return rows_; }
  absl::Status Finish(QueryAnswer& answer) override {
    return std::move(body_).Finish(std::move(rows_).Finish(), answer);
  }

 private:
  EncodeOptions Drained(EncodeOptions options, const BodyPlace& place) {
    options.drain_above = place.memory_bytes;
    options.drain = [this](std::string_view bytes) { return body_.Spill(bytes); };
    return options;
  }

  BodyBuilder body_;
  RowEncoder rows_;
};

class ParquetEncoder final : public AnswerEncoder, public BatchSink {
 public:
  ParquetEncoder(std::shared_ptr<SpillFile> file, std::unique_ptr<ParquetFile> parquet, int64_t max_bytes,
                 int64_t memory_bytes)
      : file_(std::move(file)), parquet_(std::move(parquet)), max_bytes_(max_bytes), memory_bytes_(memory_bytes) {}

  BatchSink& rows() override { return *this; }
  absl::Status Append(const Batch& batch) override {
    LOGQUERY_RETURN_IF_ERROR(parquet_->Append(batch));
    return CheckSize();
  }
  absl::Status Finish(QueryAnswer& answer) override {
    LOGQUERY_RETURN_IF_ERROR(parquet_->Finish());
    LOGQUERY_RETURN_IF_ERROR(CheckSize());
    answer.file = std::move(file_);
    if (answer.file->size() > memory_bytes_) return absl::OkStatus();
    std::string body;
    LOGQUERY_RETURN_IF_ERROR(ReadBody(answer, [&body](std::string_view piece) {
      body += piece;
      return absl::OkStatus();
    }));
    answer.body = std::move(body);
    answer.file.reset();
    return absl::OkStatus();
  }

 private:
  absl::Status CheckSize() {
    LOGQUERY_RETURN_IF_ERROR(file_->ReadSize());
    return file_->size() > max_bytes_ ? TooLong(max_bytes_) : absl::OkStatus();
  }

  // The order of members matters: the writing must end before the file is closed.
  std::shared_ptr<SpillFile> file_;
  const std::unique_ptr<ParquetFile> parquet_;
  const int64_t max_bytes_;
  const int64_t memory_bytes_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<AnswerEncoder>> AnswerEncoder::Create(const Schema& schema, EncodeOptions options,
                                                                     const BodyPlace& place, ParquetWriter* parquet) {
  if (options.format != RowFormat::kParquet) {
    return std::make_unique<StreamEncoder>(schema, std::move(options), place);
  }
  if (parquet == nullptr) return absl::InternalError("there is no writer of Parquet");
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<SpillFile> file,
                            place.folder.empty() ? SpillFile::CreateInMemory() : SpillFile::Create(place.folder));
  LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<ParquetFile> written, parquet->Begin(schema, file->path()));
  return std::make_unique<ParquetEncoder>(std::move(file), std::move(written), options.max_bytes, place.memory_bytes);
}

}  // namespace logquery::result
