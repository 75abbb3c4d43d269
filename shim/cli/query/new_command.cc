// The command new: writes an initial definition that passes check and test and runs unchanged. Its texts are the files of
// shim/cli/query/templates, which are compiled in.
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "lib/base/json/value.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "shim/cli/folder/sample/sample_text.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/options/program_files.h"
#include "shim/cli/options/reporting.h"

namespace logquery::shim {
namespace {

// The files of one kind. Of each, the template is "KIND.LAST", and the path in the folder NAME followed by LAST, or LAST alone.
struct NewKind {
  std::string_view name;
  std::vector<std::string_view> of_definition;  // ".json"
  std::vector<std::string_view> others;         // "schema.json"
};

const std::vector<NewKind>& Kinds() {
  static const auto* const kinds = [] {
    const std::vector<std::string_view> definition = {".json", ".sql", ".cases.json"};
    return new std::vector<NewKind>{
        {"endpoint", definition, {}},
        {"sandbox", definition, {"edge_logs.ndjson"}},
        {"own-log", definition, {"schema.json", "app_logs.ndjson"}},
        {"nginx", definition, {"schema.json", "nginx_access.ndjson"}},
        {"cloudflare", definition, {"schema.json", "cloudflare_http.ndjson"}},
    };
  }();
  return *kinds;
}

// Random, of version 4 (RFC 9562).
absl::StatusOr<std::string> NewId() {
  uint64_t random[2] = {};
  if (getrandom(random, sizeof(random), 0) != sizeof(random)) {
    return absl::UnavailableError(
        base::StrCat("the system gives no random number: ", std::string_view(strerror(errno))));
  }
  random[0] = (random[0] & ~uint64_t{0xF000}) | 0x4000;
  random[1] = (random[1] & ~(uint64_t{3} << 62)) | (uint64_t{2} << 62);
  std::string digits = Concat(Hex{random[0], 16}, Hex{random[1], 16});
  for (const size_t dash : {20, 16, 12, 8}) digits.insert(dash, "-");
  return digits;
}

absl::Status CheckName(const std::string& name) {
  constexpr size_t kLongest = 100;
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return absl::ascii_isalnum(c) || c == '.' || c == '-' || c == '_';
  });
  if (plain && !name.empty() && name.size() <= kLongest && name.front() != '.' && name.front() != '-') {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(base::StrCat(
      "a definition's name is 1 to 100 letters, digits, dots, - and _, and begins with none of . and -; is ",
      base::QuotedText(name)));
}

// Returns the text as a word of a shell's command, quoted where that is needed.
std::string ShellWord(const std::string& text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return absl::ascii_isalnum(c) || (c != 0 && strchr("_-./", c) != nullptr);
  });
  if (plain) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string Filled(std::string_view text, const NewArguments& arguments, const std::string& id) {
  std::string filled(text);
  const std::string folder = ShellWord(arguments.folder);
  for (const auto& [mark, value] :
       {std::pair<std::string_view, const std::string&>("@NAME@", arguments.name), {"@ID@", id}, {"@DIR@", folder}}) {
    for (size_t at = filled.find(mark); at != filled.npos; at = filled.find(mark, at + value.size())) {
      filled.replace(at, mark.size(), value);
    }
  }
  return filled;
}

// AlreadyExists: the file is there; it stays as it is.
absl::Status WriteNew(const std::string& path, const std::string& text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0 && errno == EEXIST) return absl::AlreadyExistsError(base::StrCat(path, " is there already; it stays"));
  if (fd < 0)
    return absl::UnavailableError(base::StrCat("can't write ", path, ": ", std::string_view(strerror(errno))));
  const ssize_t written = write(fd, text.data(), text.size());
  const bool whole = written == static_cast<ssize_t>(text.size());
  if (close(fd) == 0 && whole) return absl::OkStatus();
  unlink(path.c_str());
  return absl::UnavailableError(base::StrCat("can't write ", path, ": the disk may be full"));
}

struct NewFile {
  std::string path;
  std::string_view text;
};

absl::StatusOr<std::vector<NewFile>> FilesOf(const NewArguments& arguments) {
  for (const NewKind& kind : Kinds()) {
    if (kind.name != arguments.kind) continue;
    std::vector<NewFile> files;
    for (const std::string_view last : kind.of_definition) {
      files.push_back({base::StrCat(arguments.folder, "/", arguments.name, last),
                       program::EmbeddedFile(base::StrCat(kind.name, last))});
    }
    for (const std::string_view file : kind.others) {
      files.push_back(
          {base::StrCat(arguments.folder, "/", file), program::EmbeddedFile(base::StrCat(kind.name, ".", file))});
    }
    return files;
  }
  return absl::InvalidArgumentError(base::StrCat("there is no kind ", base::QuotedText(arguments.kind)));
}

// The commands in a query's comments, each as one line: "--   logquery …", continued after a backslash.
std::vector<std::string> CommandsIn(std::string_view sql) {
  constexpr std::string_view kIndent = "--   ";
  std::vector<std::string> commands;
  bool continues = false;
  while (!sql.empty()) {
    const size_t end = std::min(sql.find('\n'), sql.size());
    std::string_view line = sql.substr(0, end);
    sql.remove_prefix(std::min(end + 1, sql.size()));
    if (!line.starts_with(kIndent)) continue;
    line.remove_prefix(kIndent.size());
    if (!continues && !line.starts_with("logquery ")) continue;
    if (!continues) commands.emplace_back();
    while (continues && line.starts_with(' ')) line.remove_prefix(1);
    continues = line.ends_with('\\');
    if (continues) line.remove_suffix(1);
    commands.back() += line;
  }
  return commands;
}

// Returns what a user of the new files does next, as commands of a shell.
std::vector<std::string> NextCommands(const NewArguments& arguments) {
  const std::string folder = ShellWord(arguments.folder);
  std::vector<std::string> commands = {base::StrCat("logquery check ", folder), base::StrCat("logquery test ", folder)};
  const std::string_view sql = program::EmbeddedFile(base::StrCat(arguments.kind, ".sql"));
  for (std::string& command : CommandsIn(Filled(sql, arguments, ""))) commands.push_back(std::move(command));
  return commands;
}

// The paths of the files that were written.
absl::StatusOr<std::vector<std::string>> WriteAll(const NewArguments& arguments) {
  LOGQUERY_RETURN_IF_ERROR(CheckName(arguments.name));
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<NewFile> files, FilesOf(arguments));
  LOGQUERY_ASSIGN_OR_RETURN(const std::string id, NewId());
  std::error_code error;
  std::filesystem::create_directories(arguments.folder, error);
  if (error)
    return absl::UnavailableError(base::StrCat("can't make the folder ", arguments.folder, ": ", error.message()));
  for (const NewFile& file : files) {
    // None is written where one is there.
    if (std::filesystem::exists(file.path, error)) {
      return absl::AlreadyExistsError(base::StrCat(file.path, " is there already; it stays"));
    }
  }
  std::vector<std::string> written;
  for (const NewFile& file : files) {
    LOGQUERY_RETURN_IF_ERROR(WriteNew(file.path, Filled(file.text, arguments, id)));
    written.push_back(file.path);
  }
  return written;
}

}  // namespace

std::vector<std::string> NewKinds() {
  std::vector<std::string> names;
  for (const NewKind& kind : Kinds()) names.emplace_back(kind.name);
  return names;
}

int RunNew(const NewArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<std::vector<std::string>> written = WriteAll(arguments);
  if (!written.ok()) return Fail(terminal, written.status());
  const std::vector<std::string> next = NextCommands(arguments);
  PrintReport(arguments.reporting, base::Join(*written, "\n"), {{"files", *written}, {"next", next}}, terminal);
  if (!PrintsNotes(arguments.reporting)) return kExitOk;
  terminal.err << "next:\n  " << base::Join(next, "\n  ") << "\n";
  const auto is_schema = [](const std::string& file) { return file.ends_with("/schema.json"); };
  if (std::any_of(written->begin(), written->end(), is_schema)) {
    terminal.err << "for rows of your own, `logquery schema --infer FILE` prints what schema.json has to be\n";
  }
  return kExitOk;
}

}  // namespace logquery::shim
