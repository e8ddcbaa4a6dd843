package formattest

// ANR is a file of two dumps of a process with two threads; the second dump has one of these
// threads.
const ANR = `
----- pid 7 at 2023-04-04 22:06:31.000000000+0200 -----
Cmd line: com.example.app
ABI: 'arm64'
DALVIK THREADS (2):
"main" prio=5 tid=1 Native
  | group="main" sCount=1 ucsCount=0 flags=1 obj=0x7 self=0xb4
  | sysTid=7 nice=-10 cgrp=top-app sched=0/0 handle=0x7d
  | state=S schedstat=( 5000000 183300334 997 ) utm=23 stm=8 core=3 HZ=100
  | held mutexes= "mutator lock"(shared held)
  native: #00 pc 000000000009b8ec  /apex/libc.so (__epoll_pwait+20) (BuildId: 46d3)
  at android.os.MessageQueue.nativePollOnce(Native method)
  - waiting on an unknown object
  at android.os.Looper.loop(Looper.java:288)
  at com.example.Main.main(Main.java:10)

"a "quoted" name" daemon prio=5 tid=2 Waiting
  | sysTid=9 nice=0 cgrp=top-app sched=0/0 handle=0x7a
  | state=S schedstat=( 1000 1 1 ) utm=0 stm=0 core=1 HZ=100
  kernel: (couldn't read /proc/self/task/9/stack)
  at java.lang.Object.wait!(Native method)
  - waiting on <0x0284a47> (a java.lang.Object)
  at com.example.Worker.run(unavailable:-1)

----- end 7 -----

----- Waiting Channels: pid 7 at 2023-04-04 22:06:31.000000000+0200 -----
Cmd line: com.example.app

sysTid=7      do_epoll_wait

----- end 7 -----

----- pid 7 at 2023-04-04 22:06:31.020000000+0200 -----
Cmd line: com.example.app
DALVIK THREADS (1):
"main" prio=5 tid=1 Runnable
  | sysTid=7 nice=-10 cgrp=top-app sched=0/0 handle=0x7d
  | state=R schedstat=( 9000000 183300334 998 ) utm=23 stm=8 core=3 HZ=100
  at com.example.Main.work(Main.java:20)
  at com.example.Main.main(Main.java:12)

----- end 7 -----
`

// JVM returns a dump of one thread with this header and stack.
func JVM(date, header, stack string) string {
	return date + "\nFull thread dump OpenJDK 64-Bit Server VM (x mixed mode):\n\n" + header + "\n   java.lang.Thread.State: RUNNABLE\n" + stack + "\nJNI global references: 5\n\n"
}
