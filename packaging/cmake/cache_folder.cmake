# ORRERY_CACHE_FOLDER: where packaging/setup.sh keeps what all checkouts share.
if(DEFINED ENV{ORRERY_CACHE})
    set(ORRERY_CACHE_FOLDER "$ENV{ORRERY_CACHE}")
elseif(DEFINED ENV{XDG_CACHE_HOME})
    set(ORRERY_CACHE_FOLDER "$ENV{XDG_CACHE_HOME}/orrery")
else()
    set(ORRERY_CACHE_FOLDER "$ENV{HOME}/.cache/orrery")
endif()
