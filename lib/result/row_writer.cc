// One writer for each format; a row is written like a STRUCT.
#include "lib/result/row_writer.h"

#include <string>
#include <utility>
#include <vector>

#include "lib/result/arrow_message.h"
#include "lib/result/csv_cell.h"
#include "lib/result/json_cell.h"

namespace logquery::result {
namespace {

// Rows as objects: they are written as a struct's are, but that a row is never NULL.
class ObjectWriter {
 public:
  ObjectWriter(const Schema& schema, const EncodeOptions& options) {
    for (size_t i = 0; i < schema.size(); ++i) {
      std::string& key = keys_.emplace_back(i == 0 ? "{" : ",");
      AppendJsonString(schema[i].name, key);
      key += ':';
      cells_.emplace_back(schema[i].type, options);
    }
  }

  void Write(const Batch& batch, int64_t row, Output& out) const {
    if (cells_.empty()) out.Append('{');
    for (size_t i = 0; i < cells_.size(); ++i) {
      out.Append(keys_[i]);
      cells_[i].Write(batch.column(i), row, out);
    }
    out.Append('}');
  }

 private:
  std::vector<std::string> keys_;  // what stands before each column's value, escaped once
  std::vector<JsonCell> cells_;
};

class JsonRows final : public RowWriter {
 public:
  JsonRows(const Schema& schema, const EncodeOptions& options) : object_(schema, options) {}
  void WriteOpening(Output& out) const override { out.Append("{\"result\":["); }
  void WriteRow(const Batch& batch, int64_t row, bool is_first, Output& out) const override {
    if (!is_first) out.Append(',');
    object_.Write(batch, row, out);
  }
  std::string_view closing() const override { return "]}"; }

 private:
  ObjectWriter object_;
};

// Rows as arrays, after the columns' names and types.
class ArrayRows final : public RowWriter {
 public:
  ArrayRows(const Schema& schema, const EncodeOptions& options) : opening_("{\"schema\":[") {
    for (size_t i = 0; i < schema.size(); ++i) {
      opening_ += i == 0 ? "{\"name\":" : ",{\"name\":";
      AppendJsonString(schema[i].name, opening_);
      opening_ += ",\"type\":";
      AppendJsonString(schema[i].type.ToString(), opening_);
      opening_ += '}';
      cells_.emplace_back(schema[i].type, options);
    }
    opening_ += "],\"rows\":[";
  }
  void WriteOpening(Output& out) const override { out.Append(opening_); }
  void WriteRow(const Batch& batch, int64_t row, bool is_first, Output& out) const override {
    if (!is_first) out.Append(',');
    out.Append('[');
    for (size_t i = 0; i < cells_.size(); ++i) {
      if (i > 0) out.Append(',');
      cells_[i].Write(batch.column(i), row, out);
    }
    out.Append(']');
  }
  std::string_view closing() const override { return "]}"; }

 private:
  std::string opening_;
  std::vector<JsonCell> cells_;
};

class NdjsonRows final : public RowWriter {
 public:
  NdjsonRows(const Schema& schema, const EncodeOptions& options) : object_(schema, options) {}
  void WriteOpening(Output&) const override {}
  void WriteRow(const Batch& batch, int64_t row, bool, Output& out) const override {
    object_.Write(batch, row, out);
    out.Append('\n');
  }
  std::string_view closing() const override { return ""; }

 private:
  ObjectWriter object_;
};

class CsvRows final : public RowWriter {
 public:
  CsvRows(const Schema& schema, const EncodeOptions& options) : csv_safe_(options.csv_safe) {
    for (const Field& column : schema) {
      names_.push_back(column.name);
      cells_.emplace_back(column.type, options);
    }
  }
  void WriteOpening(Output& out) const override {
    for (size_t i = 0; i < names_.size(); ++i) {
      if (i > 0) out.Append(',');
      WriteCsvText(names_[i], csv_safe_, out);
    }
    out.AppendLiteral("\r\n");
  }
  void WriteRow(const Batch& batch, int64_t row, bool, Output& out) const override {
    const size_t before = out.size();
    for (size_t i = 0; i < cells_.size(); ++i) {
      if (i > 0) out.Append(',');
      cells_[i].Write(batch.column(i), row, out);
    }
    // Readers pass over an empty line: a NULL in the only column would be lost.
    if (out.size() == before) out.AppendLiteral("\"\"");
    out.AppendLiteral("\r\n");
  }
  std::string_view closing() const override { return ""; }

 private:
  const bool csv_safe_;
  std::vector<std::string> names_;
  std::vector<CsvCell> cells_;
};

// The ends of a format whose rows are written by batches.
class Ends final : public RowWriter {
 public:
  Ends(std::string opening, std::string_view closing) : opening_(std::move(opening)), closing_(closing) {}
  void WriteOpening(Output& out) const override { out.Append(opening_); }
  void WriteRow(const Batch&, int64_t, bool, Output&) const override {}
  std::string_view closing() const override { return closing_; }

 private:
  const std::string opening_;
  const std::string_view closing_;
};

}  // namespace

std::unique_ptr<RowWriter> MakeRowWriter(const Schema& schema, const EncodeOptions& options) {
  switch (options.format) {
    case RowFormat::kJson:
      break;
    case RowFormat::kNdjson:
      return std::make_unique<NdjsonRows>(schema, options);
    case RowFormat::kCsv:
      return std::make_unique<CsvRows>(schema, options);
    case RowFormat::kJsonRows:
      return std::make_unique<ArrayRows>(schema, options);
    case RowFormat::kArrow:
      return std::make_unique<Ends>(ArrowSchemaMessage(schema), kArrowEnd);
    case RowFormat::kParquet:
      return std::make_unique<Ends>("", "");
  }
  return std::make_unique<JsonRows>(schema, options);
}

}  // namespace logquery::result
