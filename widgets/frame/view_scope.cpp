#include "widgets/frame/view_scope.h"
