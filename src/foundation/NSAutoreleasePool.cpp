// SPDX-License-Identifier: Apache-2.0
// NS::AutoreleasePool.
#include "src/foundation/autorelease_pool.hpp"

#include <Foundation/NSAutoreleasePool.hpp>

BASANITE_BRIDGE(NS::AutoreleasePool, basanite::foundation::AutoreleasePool)

using basanite::foundation::objectOf;
using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

NS::AutoreleasePool* NS::AutoreleasePool::alloc() {
  return toPublic(new basanite::foundation::AutoreleasePool);
}

NS::AutoreleasePool* NS::AutoreleasePool::init() {
  if (auto* pool = toImpl(this)) pool->push();
  return this;
}

// As in a reference-counted environment of Apple's: drain ends the pool, so a release must not follow.
void NS::AutoreleasePool::drain() {
  auto* pool = toImpl(this);
  if (!pool) return;
  pool->drain();
  pool->release();
}

void NS::AutoreleasePool::addObject(NS::Object* pObject) {
  auto* pool = toImpl(this);
  if (pool && pObject) pool->add(objectOf(pObject));
}

void NS::AutoreleasePool::showPools() { basanite::foundation::AutoreleasePool::show(); }
