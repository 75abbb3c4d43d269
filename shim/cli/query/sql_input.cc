// Reads a file or a stream to its end.
#include "shim/cli/query/sql_input.h"

#include <fstream>
#include <iterator>

#include "lib/base/strings.h"

namespace logquery::shim {

absl::StatusOr<std::string> ReadSql(const std::string& file, std::istream& in) {
  if (file.empty() || file == "-") return std::string(std::istreambuf_iterator<char>(in), {});
  std::ifstream stream(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(stream)), {});
  if (!stream) {
    // Whoever writes the SQL itself there learns where it goes.
    const bool is_sql = file.find_first_of(" \n") != std::string::npos;
    return absl::NotFoundError(base::StrCat(
        "can't read the file ", file, is_sql ? "; SQL itself goes to standard input: echo 'SQL' | logquery …" : ""));
  }
  return text;
}

}  // namespace logquery::shim
