// Reads a file or a stream to its end.
#include "shim/cli/query/sql_input.h"

#include <filesystem>
#include <fstream>

#include "lib/base/read_to_end.h"
#include "lib/base/strings.h"

namespace logquery::shim {

absl::StatusOr<std::string> ReadSql(const std::string& file, std::istream& in) {
  if (file.empty() || file == "-") return base::ReadToEnd(in);
  if (std::error_code error; std::filesystem::is_directory(file, error)) {
    return absl::InvalidArgumentError(base::StrCat(file, " is a folder: name a file in it"));
  }
  std::ifstream stream(file, std::ios::binary);
  absl::StatusOr<std::string> text = base::ReadToEnd(stream);
  if (!text.ok()) {
    // Whoever writes the SQL itself there learns where it goes.
    const bool is_sql = file.find_first_of(" \n") != std::string::npos;
    return absl::NotFoundError(base::StrCat(
        "can't read the file ", file, is_sql ? "; SQL itself goes to standard input: echo 'SQL' | logquery …" : ""));
  }
  return text;
}

}  // namespace logquery::shim
