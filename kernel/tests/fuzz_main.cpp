// Drives a fuzz target without libFuzzer: seeded random inputs, so that a failure comes again.
//
//   fuzz_bleu [inputs [seed]]
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

// Few different bytes make repeated words, many make rare characters; both matter.
std::vector<std::uint8_t> make_input(std::mt19937_64& random) {
  static const std::uint8_t common[] = {' ', ' ', 'a', 'b', 'c',  '.',
                                        ',', '1', '-', '&', 0xFF, 0xC3};
  std::vector<std::uint8_t> input(2 + random() % (random() % 8 == 0 ? 600 : 60));
  const unsigned rare = static_cast<unsigned>(random() % 4);
  for (std::uint8_t& byte : input) {
    byte = random() % 4 < rare ? static_cast<std::uint8_t>(random())
                               : common[random() % sizeof common];
  }
  input[0] = static_cast<std::uint8_t>(random());
  input[1] = static_cast<std::uint8_t>(random());
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  const long inputs = argc > 1 ? std::atol(argv[1]) : 20000;
  const long seed = argc > 2 ? std::atol(argv[2]) : 1;
  std::mt19937_64 random(static_cast<std::uint64_t>(seed));
  for (long i = 0; i < inputs; ++i) {
    const std::vector<std::uint8_t> input = make_input(random);
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::printf("%ld inputs, seed %ld: nothing found\n", inputs, seed);
}
