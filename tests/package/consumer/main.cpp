// SPDX-License-Identifier: Apache-2.0
// Opens the default device, compiles a kernel and finds the default library: shows that an installed Basanite
// is whole.
#define NS_PRIVATE_IMPLEMENTATION
#define MTL_PRIVATE_IMPLEMENTATION
#include <Foundation/Foundation.hpp>
#include <Metal/Metal.hpp>

#include <cstdio>

int main() {
  auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  auto device = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
  if (!device) return 1;
  NS::Error* error = nullptr;
  auto library = NS::TransferPtr(
      device->newLibrary(MTLSTR("#include <metal_stdlib>\nkernel void twice(device float* x [[buffer(0)]], "
                                "uint i [[thread_position_in_grid]]) { x[i] *= 2; }"),
                         nullptr, &error));
  if (!library) {
    std::printf("%s\n", error->localizedDescription()->utf8String());
    return 1;
  }
  auto own = NS::TransferPtr(device->newDefaultLibrary());
  if (!own) return 1;
  auto kernel = NS::TransferPtr(own->newFunction(MTLSTR("thrice")));
  auto pipeline = NS::TransferPtr(device->newComputePipelineState(kernel.get(), &error));
  if (!pipeline) {
    std::printf("%s\n", error->localizedDescription()->utf8String());
    return 1;
  }
  std::printf("consumer: %s compiles %lu function and finds %lu\n", device->name()->utf8String(),
              (unsigned long)library->functionNames()->count(), (unsigned long)own->functionNames()->count());
  return library->functionNames()->count() == 1 ? 0 : 1;
}
