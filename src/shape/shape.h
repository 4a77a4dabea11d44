/* shape.h - the door of shape: element types, shapes, layouts, literals. */
#ifndef TESS_SHAPE_H
#define TESS_SHAPE_H

#include "shape/dtype.h"

#endif
