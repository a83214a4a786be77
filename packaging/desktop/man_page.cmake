# cmake -DPROGRAM=FILE -DOUTPUT=FILE -P man_page.cmake: writes the program's manual page.
execute_process(COMMAND "${PROGRAM}" help --man OUTPUT_FILE "${OUTPUT}" RESULT_VARIABLE failed)
if(failed)
    file(REMOVE "${OUTPUT}")
    message(FATAL_ERROR "${PROGRAM} help --man: ${failed}")
endif()
