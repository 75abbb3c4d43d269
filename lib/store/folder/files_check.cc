// Checks the files of a data folder: what is missing, left over, a link, or readable by others.
#include "lib/store/folder/files_check.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/status/statusor.h"
#include "lib/base/strings.h"
#include "lib/store/folder/folder_files.h"
#include "lib/store/spool/spool_folder.h"
#include "lib/store/spool/spool_outcome.h"

namespace logquery::store {
namespace {

namespace fs = std::filesystem;
using Kind = FolderFinding::Kind;

constexpr size_t kMostLinks = 20;  // named one by one
constexpr int64_t kLittleRoom = 1LL << 30;
constexpr std::string_view kOutcome = ".outcome";
constexpr std::string_view kNew = ".new";

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

// Plain files below `path`, which is no symbolic link, and none of those it leads through; what can't be listed has none.
std::vector<fs::path> FilesBelow(const std::string& path) {
  std::vector<fs::path> files;
  std::error_code error;
  if (fs::is_symlink(path, error)) return files;
  for (fs::recursive_directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    if (fs::is_regular_file(entry->symlink_status(ignored))) files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void CheckAccess(const std::string& folder, std::vector<FolderFinding>* findings) {
  struct stat info;
  if (stat(folder.c_str(), &info) == 0 && (info.st_mode & S_IRWXO) != 0) {
    findings->push_back({Kind::kWarning,
                         "other users of this machine may look into the folder, and logs are personal data",
                         base::StrCat("chmod o= ", folder)});
  }
  for (const std::string_view name : {std::string_view("FORMAT"), kDatabaseName}) {
    const std::string file = base::StrCat(folder, "/", name);
    if (access(file.c_str(), F_OK) != 0) continue;
    if (access(file.c_str(), R_OK) != 0) {
      findings->push_back({Kind::kError, base::StrCat(name, " may not be read by this user"),
                           "run as the user that loads the logs, or give it to this one"});
    } else if (access(file.c_str(), W_OK) != 0) {
      findings->push_back({Kind::kWarning, base::StrCat(name, " may not be written by this user"),
                           "logs can be queried, but not loaded: run as the user that loads them"});
    }
  }
}

void CheckRoom(const std::string& folder, std::vector<FolderFinding>* findings) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  if (error || static_cast<int64_t>(space.available) >= kLittleRoom) return;
  findings->push_back({Kind::kWarning, base::StrCat("the disk has ", space.available >> 20, " MiB left"),
                       "make room: loading stops when it is full, and queries that sort much fail"});
}

void CheckSpool(const std::string& folder, std::vector<FolderFinding>* findings) {
  const std::string spool = folder + "/spool";
  std::error_code error;
  if (fs::is_symlink(spool, error)) return;
  int64_t failed = 0;
  std::string example;
  for (const fs::path& file : FilesBelow(spool + "/.failed")) {
    if (!EndsWith(file.native(), kOutcome)) continue;
    ++failed;
    const absl::StatusOr<std::string> text = ReadWhole(file);
    if (!text.ok()) continue;
    const absl::StatusOr<SpoolOutcome> outcome = SpoolOutcome::Parse(*text);
    if (outcome.ok()) example = base::StrCat(file.stem().native(), ": ", outcome->reason);
  }
  if (failed > 0) {
    findings->push_back(
        {Kind::kWarning,
         base::StrCat(failed, failed == 1 ? " file" : " files", " of the spool could not be loaded; ", example),
         base::StrCat("look into ", spool, "/.failed; what is mended goes back into the log's folder in ", spool,
                      ", the rest may be removed")});
  }
  const std::vector<std::string> ignored = ListIgnored(spool, absl::InfiniteFuture());
  if (!ignored.empty()) {
    findings->push_back(
        {Kind::kWarning,
         base::StrCat(ignored.size(), ignored.size() == 1 ? " file" : " files", " in the spool ",
                      ignored.size() == 1 ? "is" : "are", " not loaded, such as ", ignored.front()),
         base::StrCat("a file of rows lies in a log's folder in ", spool,
                      ", and its name ends in .ndjson, .jsonl or .json, or one of these with .gz or .zst")});
  }
  const auto waiting = FilesBelow(spool + "/.taken").size();
  if (waiting > 0 && !SpoolFolder::IsLocked(spool)) {
    findings->push_back(
        {Kind::kNote, base::StrCat(waiting, waiting == 1 ? " file waits" : " files wait", " in the spool"),
         waiting == 1 ? "it is loaded when the folder is served" : "they are loaded when the folder is served"});
  }
}

}  // namespace

void CheckLinks(const std::string& folder, std::vector<FolderFinding>* findings) {
  if (const absl::Status parts = CheckNoLinks(folder); !parts.ok()) {
    findings->push_back({Kind::kError, std::string(base::Message(parts)),
                         "nothing opens the folder before that: the file could be anybody's"});
  }
  const std::vector<std::string> links = LinksBelow(folder);
  for (size_t i = 0; i < links.size() && i < kMostLinks; ++i) {
    findings->push_back({Kind::kWarning, base::StrCat(links[i], " is a symbolic link, which is not followed"),
                         "put what it points to in its place, or remove it"});
  }
  if (links.size() > kMostLinks) {
    findings->push_back({Kind::kWarning, base::StrCat("further symbolic links: ", links.size() - kMostLinks),
                         "put what they point to in their places, or remove them"});
  }
}

void CheckFiles(const std::string& folder, std::vector<FolderFinding>* findings) {
  CheckLinks(folder, findings);
  CheckAccess(folder, findings);
  CheckRoom(folder, findings);
  CheckSpool(folder, findings);
}

void CheckLeftovers(const std::string& folder, bool repair, std::vector<FolderFinding>* findings) {
  std::vector<fs::path> leftovers = FilesBelow(folder + "/tmp");
  for (const fs::path& file : FilesBelow(folder + "/rejected")) {
    if (EndsWith(file.native(), ".partial") || EndsWith(file.native(), ".erasing")) leftovers.push_back(file);
  }
  const std::string format = folder + "/FORMAT.new";
  if (access(format.c_str(), F_OK) == 0) leftovers.emplace_back(format);
  // Nobody listens to it: a server would hold the folder.
  const std::string socket = folder + "/socket";
  std::error_code error;
  if (fs::is_socket(socket, error)) leftovers.emplace_back(socket);
  const std::string spool = folder + "/spool";
  for (const fs::path& file : FilesBelow(spool)) {
    const std::string name = file.filename();
    if (name.front() == '.' && EndsWith(name, kNew) && !SpoolFolder::IsLocked(spool)) leftovers.push_back(file);
  }
  for (const fs::path& file : leftovers) {
    const bool is_rejected = EndsWith(file.native(), ".partial") || EndsWith(file.native(), ".erasing");
    const bool removed = repair && !is_rejected && fs::remove(file, error);
    findings->push_back(
        {Kind::kWarning,
         base::StrCat(file.lexically_relative(folder).native(), " was left by a process that was killed"),
         "say --repair, or open the folder for writing: serve, load", removed});
  }
}

}  // namespace logquery::store
