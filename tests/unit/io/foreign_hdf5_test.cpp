#include <functional>

#include <fmt/format.h>
#include <hdf5.h>
#include <zlib.h>

#include "percuss/io/fclib.h"
#include "percuss/io/io_error.h"
#include "results_fixture.h"
#include "support/problem_files.h"

// Files of others: HDF5 would follow them to other files of the user, or read beyond its memory.
namespace percuss {
namespace {

/// Owns what HDF5 returned.
using Handle = Hdf5Id;
Handle file_for_changes(const std::string& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose};
}
Handle list_of(hsize_t size) { return {H5Screate_simple(1, &size, nullptr), H5Sclose}; }
Handle creation() { return {H5Pcreate(H5P_DATASET_CREATE), H5Pclose}; }
Handle make(const Handle& file, const char* name, hid_t type, const Handle& space, const Handle& properties) {
  return {H5Dcreate2(file.get(), name, type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
          H5Dclose};
}

constexpr hsize_t secret_size = 6;

class ForeignHdf5 : public ResultsTest {
 protected:
  ForeignHdf5() { write_bytes(path("secret"), "secret"); }

  /// What reading says after `name` of a results file was replaced.
  std::string complaint(const char* name, const std::function<void(const Handle&)>& replace,
                        const std::function<void(const ResultsReader&)>& read) {
    RunConfig config = short_settings();
    config.time.end = 0.05;
    run_to_file(path(), config);
    {
      const Handle file = file_for_changes(path());
      H5Ldelete(file.get(), name, H5P_DEFAULT);
      replace(file);
    }
    try {
      read(ResultsReader(path()));
    } catch (const IoError& error) {
      return error.what();
    }
    return "nothing";
  }
  std::string complaint_about_text(const std::function<void(const Handle&)>& replace) {
    return complaint("/scene/text", replace, [](const ResultsReader& results) { results.scene_text(); });
  }
  static void expect_part(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
  }
};

TEST_F(ForeignHdf5, NumbersInOtherFilesAreNotRead) {
  expect_part(
      complaint_about_text([&](const Handle& file) {
        const Handle properties = creation();
        H5Pset_external(properties.get(), path("secret").c_str(), 0, secret_size);
        make(file, "/scene/text", H5T_STD_U8LE, list_of(secret_size), properties);
      }),
      "/scene/text keeps its numbers in another file; percuss reads only what lies in the file itself");
}

TEST_F(ForeignHdf5, LinksAreNotFollowed) {
  const std::string is_link =
      "/scene/text is a link to another place; percuss reads only what lies in the file";
  expect_part(complaint_about_text([&](const Handle& file) {
                H5Lcreate_external("other.h5", "/x", file.get(), "/scene/text", H5P_DEFAULT, H5P_DEFAULT);
              }),
              is_link);
  expect_part(complaint_about_text([&](const Handle& file) {
                H5Lcreate_soft("/scene/resolved", file.get(), "/scene/text", H5P_DEFAULT, H5P_DEFAULT);
              }),
              is_link);
  const auto read = [](const ResultsReader& results) { results.shapes(); };
  expect_part(complaint(
                  "/shapes",
                  [&](const Handle& file) {
                    H5Lcreate_external("other.h5", "/", file.get(), "/shapes", H5P_DEFAULT, H5P_DEFAULT);
                  },
                  read),
              "/shapes is a link to another place");
}

TEST_F(ForeignHdf5, ViewsOfOtherDatasetsAreNotRead) {
  expect_part(complaint_about_text([&](const Handle& file) {
                const Handle properties = creation(), space = list_of(secret_size);
                H5Pset_virtual(properties.get(), space.get(), "other.h5", "/x", space.get());
                make(file, "/scene/text", H5T_STD_U8LE, space, properties);
              }),
              "/scene/text is a view of other datasets");
}

/// The three ways to other files, in the place of numbers of a dataset.
using Detour = std::function<void(const Handle&, const char*)>;
std::vector<std::pair<Detour, std::string>> detours(const std::string& secret) {
  return {{[secret](const Handle& file, const char* name) {
             const Handle properties = creation();
             H5Pset_external(properties.get(), secret.c_str(), 0, 8);
             make(file, name, H5T_IEEE_F64LE, list_of(1), properties);
           },
           " keeps its numbers in another file"},
          {[](const Handle& file, const char* name) {
             H5Lcreate_external("other.h5", "/x", file.get(), name, H5P_DEFAULT, H5P_DEFAULT);
           },
           " is a link to another place"},
          {[](const Handle& file, const char* name) {
             const Handle properties = creation(), space = list_of(1);
             H5Pset_virtual(properties.get(), space.get(), "other.h5", "/x", space.get());
             make(file, name, H5T_IEEE_F64LE, space, properties);
           },
           " is a view of other datasets"}};
}

TEST_F(ForeignHdf5, ContactProblemsLeadToNoOtherFile) {
  ContactProblem content;
  content.problem = testing::sticking_ball();
  for (const char* name : {"/fclib_local/vectors/q", "/fclib_local/vectors/mu", "/fclib_local/W/x"})
    for (const auto& [replace, reason] : detours(path("secret"))) {
      write_fclib(path("problem.h5"), content);
      {
        const Handle file = file_for_changes(path("problem.h5"));
        ASSERT_GE(H5Ldelete(file.get(), name, H5P_DEFAULT), 0) << name;
        replace(file, name);
      }
      try {
        read_fclib(path("problem.h5"));
        ADD_FAILURE() << name << reason << ", and was read";
      } catch (const IoError& error) {
        expect_part(error.what(), name + reason);
      }
    }
}

/// A resumed run copies the frames of the file.
TEST_F(ForeignHdf5, NoRunGoesOnFromAnotherFile) {
  RunConfig config = short_settings();
  config.time.end = 0.05;
  for (const char* name : {"/states/q", "/energy/values", "/run/wall_seconds"})
    for (const auto& [replace, reason] : detours(path("secret"))) {
      run_to_file(path(), config);
      {
        const Handle file = file_for_changes(path());
        ASSERT_GE(H5Ldelete(file.get(), name, H5P_DEFAULT), 0) << name;
        replace(file, name);
      }
      try {
        resume(path(), config);
        ADD_FAILURE() << name << reason << ", and was read";
      } catch (const IoError& error) {
        expect_part(error.what(), name + reason);
      }
    }
}

TEST_F(ForeignHdf5, FiltersThatWouldBeLoadedAreRefused) {
  expect_part(complaint_about_text([&](const Handle& file) {
                const Handle properties = creation();
                const hsize_t piece = secret_size;
                H5Pset_chunk(properties.get(), 1, &piece);
                H5Pset_fletcher32(properties.get());
                make(file, "/scene/text", H5T_STD_U8LE, list_of(secret_size), properties);
              }),
              "/scene/text: its compression is not known: only deflate is read");
}

TEST_F(ForeignHdf5, FewerKindsThanBodiesAreNoticed) {
  const auto complained = complaint(
      "/bodies/kind",
      [&](const Handle& file) {
        const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
        H5Tset_size(type.get(), 8);
        make(file, "/bodies/kind", type.get(), list_of(1), creation());
      },
      [](const ResultsReader&) {});
  expect_part(complained, "the file is damaged (/bodies/kind)");
}

TEST_F(ForeignHdf5, PosesThatAreNotThereAreNoticed) {
  run_to_file(path(), settings());
  const std::size_t bodies = ResultsReader(path()).bodies().size();
  for (const auto& [position, rotation] : {std::pair{99, -1}, {-2, -1}, {0, 99}, {-1, 0}}) {
    std::vector<std::int32_t> table(2 * bodies, -1);
    table[0] = position, table[1] = rotation;
    const auto complained = complaint(
        "/bodies/place",
        [&](const Handle& file) {
          const std::array<hsize_t, 2> sizes = {bodies, 2};
          const Handle space(H5Screate_simple(2, sizes.data(), nullptr), H5Sclose);
          const Handle dataset(H5Dcreate2(file.get(), "/bodies/place", H5T_STD_I32LE, space.get(),
                                          H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                               H5Dclose);
          H5Dwrite(dataset.get(), H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, table.data());
        },
        [](const ResultsReader& results) { results.poses(0); });
    expect_part(complained, "the file is damaged (/bodies/place)");
  }
}

/// A contact problem whose numbers in /fclib_local/vectors/q are stored as `piece`.
class StoredPieces : public ResultsTest {
 protected:
  static constexpr hsize_t count = 3;

  void write(bool shuffle, bool deflate, unsigned skipped, const std::vector<unsigned char>& piece) const {
    ContactProblem content;
    content.problem = testing::sticking_ball();
    write_fclib(path("new.h5"), content);
    const char* name = "/fclib_local/vectors/q";
    // Only in the oldest format the sizes of pieces without compression are stored.
    const Handle source = file_for_changes(path("new.h5")),
                 file(H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    ASSERT_GE(H5Ocopy(source.get(), "/fclib_local", file.get(), "/fclib_local", H5P_DEFAULT, H5P_DEFAULT), 0);
    H5Ldelete(file.get(), name, H5P_DEFAULT);
    const Handle properties = creation();
    H5Pset_chunk(properties.get(), 1, &count);
    if (shuffle) H5Pset_shuffle(properties.get());
    if (deflate) H5Pset_deflate(properties.get(), 6);
    const Handle dataset = make(file, name, H5T_IEEE_F64LE, list_of(count), properties);
    const hsize_t offset = 0;
    ASSERT_GE(H5Dwrite_chunk(dataset.get(), H5P_DEFAULT, skipped, &offset, piece.size(), piece.data()), 0);
  }
  std::string complaint() const {
    try {
      read_fclib(path());
    } catch (const IoError& error) {
      return error.what();
    }
    return "";
  }
  static std::vector<unsigned char> bytes(size_t size) { return std::vector<unsigned char>(size, 0); }
  static std::vector<unsigned char> deflated(size_t size) {
    const auto plain = bytes(size);
    uLongf length = compressBound(size);
    std::vector<unsigned char> packed(length);
    compress(packed.data(), &length, plain.data(), size);
    packed.resize(length);
    return packed;
  }
};

TEST_F(StoredPieces, OfTheRightSizeAreRead) {
  constexpr size_t size = count * sizeof(double);
  write(false, false, 0, bytes(size));
  EXPECT_EQ(complaint(), "");
  write(false, true, 0, deflated(size));
  EXPECT_EQ(complaint(), "");
  write(true, true, 0, deflated(size));
  EXPECT_EQ(complaint(), "");
}

TEST_F(StoredPieces, OfAnotherSizeAreRefused) {
  constexpr size_t size = count * sizeof(double);
  const auto expect_refused = [&](const char* what) {
    EXPECT_NE(complaint().find("/fclib_local/vectors/q: a piece of it has another size"), std::string::npos)
        << what << ": " << complaint();
  };
  write(false, false, 0, bytes(4));
  expect_refused("short");
  write(false, true, 0, deflated(4));
  expect_refused("short after deflate");
  write(true, true, 0, deflated(size + 1));
  expect_refused("long after deflate");
  write(false, true, 1, bytes(4));
  expect_refused("stored without its filter");
  write(false, true, 0, bytes(size));
  expect_refused("no stream of deflate");
}

}  // namespace
}  // namespace percuss
