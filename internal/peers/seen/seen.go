package seen
