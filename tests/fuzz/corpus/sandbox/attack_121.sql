use memory
