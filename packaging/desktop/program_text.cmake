# cmake -DPROGRAM=FILE "-DARGUMENTS=A;B" -DOUTPUT=FILE -P program_text.cmake: writes what the program
# prints.
execute_process(COMMAND "${PROGRAM}" ${ARGUMENTS} OUTPUT_FILE "${OUTPUT}" RESULT_VARIABLE failed)
if(failed)
    file(REMOVE "${OUTPUT}")
    message(FATAL_ERROR "${PROGRAM} ${ARGUMENTS}: ${failed}")
endif()
