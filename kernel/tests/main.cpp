// Runs the kernel's tests; a check that fails prints its line and ends the program.
#include <cstdio>

namespace bleuet {
void test_buffers();
void test_hashing();
void test_learning();
void test_random_numbers();
void test_threads();
}  // namespace bleuet

int main() {
  bleuet::test_buffers();
  bleuet::test_hashing();
  bleuet::test_learning();
  bleuet::test_random_numbers();
  bleuet::test_threads();
  std::puts("kernel tests passed");
}
