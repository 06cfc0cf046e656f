/* See module.h, which declares all classes. */

#include "module.h"
