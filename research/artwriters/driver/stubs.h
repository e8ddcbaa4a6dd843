// What the tracer finds of the runtime: ours in place of ART's.
#pragma once

#include <map>

namespace art {
class ArtMethod;
class Thread;
}  // namespace art

// objects.cc: memory in which ART's code finds what the script says.

// MakeObjects makes the runtime's objects for the app that has been read.
void MakeObjects();

// NewThread returns a thread that runs and has this tid.
art::Thread* NewThread(int tid);

// Method returns the ArtMethod of a method of the app.
art::ArtMethod* Method(int method);

// Classes gives the first visible method of each class that has one, by the class's object.
const std::map<const void*, int>& Classes();

// stubs.cc: the functions of ART that the tracer calls.

// AddThread and RemoveThread change the runtime's list of threads.
void AddThread(art::Thread* thread);
void RemoveThread(art::Thread* thread);

// CurrentThread and SetCurrentThread are what Thread::Current gives: whose turn it is.
art::Thread* CurrentThread();
void SetCurrentThread(art::Thread* thread);

// Listening says whether the tracer wants to hear of calls.
bool Listening();
