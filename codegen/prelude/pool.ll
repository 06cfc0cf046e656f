; Worker pool: one parallel loop at a time, run by the calling thread and helper threads.
;
;   i32 __tw_pool_run(ptr fn, ptr args, i64 tasks, i32 threads)
;       calls fn(args, task, worker) once for every task in 0..tasks-1, and returns 0 when all calls
;       have returned. worker is in 0..threads-1, and no two calls with the same worker overlap.
;       At most 64 threads share a loop. Each has an equal share of consecutive tasks, which it runs
;       in order, so that loops over the same data find it in the cache of the core that wrote it. A
;       thread that has finished its share steals tasks of other shares, one by one.
;   void __tw_pool_reset()
;       for a forked child, which has no helpers: forget helpers and any running loop.
;
; A launch from inside a task, or while another thread's launch is running, runs its tasks in the
; calling thread as worker 0: it never waits for the pool, so it cannot deadlock.
;
; Protocol of one launch. The launcher takes @busy, writes the loop into @job, publishes it in
; @current and adds 1 to @epoch. A helper that sees a new epoch first increments @active, then reads
; @current: either it sees null and leaves, or the launcher sees it in @active and waits. When no
; task is left, the launcher clears @current and waits until @active is 0; after that no helper
; reads @job, and every claimed task has returned. All these accesses are sequentially consistent,
; as "increment, then read" against "clear, then read the count" requires.
;
; Threads first spin (about 100 us, because a model launches loops back to back, some separated by a
; kernel of one task, and waking a sleeper takes 20 us or more), then wait on a futex.
; Helper w waits with bit w, so a launch for few threads wakes few. Helpers are detached threads,
; created when a launch first needs them; if the system refuses, the other threads do the work.

; { fn, args, tasks, threads, padding }
%job = type { ptr, ptr, i64, i32, i32 }
; { next unclaimed task, end, padding to a cache line }
%share = type { i64, i64, [6 x i64] }

@job = internal global %job zeroinitializer, align 64
@shares = internal global [64 x %share] zeroinitializer, align 64
@current = internal global ptr null, align 64    ; @job while a loop runs
@active = internal global i32 0, align 64        ; number of helpers that may read @job
@epoch = internal global i32 0, align 64         ; launches so far; idle helpers wait on it
@sleepers = internal global i32 0, align 64      ; helpers in or near a futex wait on @epoch
@draining = internal global i32 0, align 64      ; 1 while the launcher sleeps on @active
@busy = internal global i32 0, align 64          ; 1 while a loop runs
@helpers = internal global i32 0, align 4        ; helpers created so far; guarded by @busy

declare i64 @syscall(i64, ...)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_detach(i64)

; FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG: sleep if the word still has this value.
define internal void @futex_wait(ptr %word, i32 %value, i32 %bits) nounwind {
  %number = load i64, ptr @futex_number
  %r = call i64 (i64, ...) @syscall(i64 %number, ptr %word, i64 137, i32 %value, ptr null, ptr null, i32 %bits)
  ret void
}

; FUTEX_WAKE_BITSET | FUTEX_PRIVATE_FLAG: wake every sleeper that shares a bit.
define internal void @futex_wake(ptr %word, i32 %bits) nounwind {
  %number = load i64, ptr @futex_number
  %r = call i64 (i64, ...) @syscall(i64 %number, ptr %word, i64 138, i32 2147483647, ptr null, ptr null, i32 %bits)
  ret void
}

; Claim and run tasks until none is left: first of the worker's own share, then of the next shares.
define internal void @work(i64 %worker) nounwind {
entry:
  %fn = load ptr, ptr @job
  %args_at = getelementptr %job, ptr @job, i32 0, i32 1
  %args = load ptr, ptr %args_at
  %threads_at = getelementptr %job, ptr @job, i32 0, i32 3
  %short = load i32, ptr %threads_at
  %threads = zext i32 %short to i64
  br label %share
share:
  %owner = phi i64 [ %worker, %entry ], [ %wrapped, %exhausted ]
  %visited = phi i64 [ 0, %entry ], [ %seen, %exhausted ]
  %next = getelementptr [64 x %share], ptr @shares, i64 0, i64 %owner
  %end_at = getelementptr %share, ptr %next, i32 0, i32 1
  %end = load i64, ptr %end_at
  br label %look
look:
  ; A plain read first avoids moving the cache line of an exhausted share.
  %left = load atomic i64, ptr %next monotonic, align 8
  %some = icmp slt i64 %left, %end
  br i1 %some, label %claim, label %exhausted
claim:
  %task = atomicrmw add ptr %next, i64 1 seq_cst
  %mine = icmp slt i64 %task, %end
  br i1 %mine, label %run, label %exhausted
run:
  call void %fn(ptr %args, i64 %task, i64 %worker)
  br label %look
exhausted:
  %seen = add i64 %visited, 1
  %following = add i64 %owner, 1
  %over = icmp uge i64 %following, %threads
  %wrapped = select i1 %over, i64 0, i64 %following
  %more = icmp ult i64 %seen, %threads
  br i1 %more, label %share, label %done
done:
  ret void
}

; Assign each thread its share of the tasks.
define internal void @deal(i64 %tasks, i64 %threads) nounwind {
entry:
  br label %each
each:
  %worker = phi i64 [ 0, %entry ], [ %following, %each ]
  %first = phi i64 [ 0, %entry ], [ %end, %each ]
  %following = add i64 %worker, 1
  %scaled = mul i64 %tasks, %following
  %end = udiv i64 %scaled, %threads
  %next = getelementptr [64 x %share], ptr @shares, i64 0, i64 %worker
  %end_at = getelementptr %share, ptr %next, i32 0, i32 1
  store i64 %end, ptr %end_at
  store atomic i64 %first, ptr %next seq_cst, align 8
  %more = icmp ult i64 %following, %threads
  br i1 %more, label %each, label %done
done:
  ret void
}

; Run the whole loop in this thread.
define internal void @run_inline(ptr %fn, ptr %args, i64 %tasks) nounwind {
entry:
  %any = icmp sgt i64 %tasks, 0
  br i1 %any, label %run, label %done
run:
  %task = phi i64 [ 0, %entry ], [ %following, %run ]
  call void %fn(ptr %args, i64 %task, i64 0)
  %following = add i64 %task, 1
  %more = icmp slt i64 %following, %tasks
  br i1 %more, label %run, label %done
done:
  ret void
}

; Wait until @epoch differs from %seen; return the new value.
define internal i32 @await_epoch(i32 %seen, i32 %bit) nounwind {
entry:
  %limit = load i64, ptr @spin_ticks
  %start = call i64 @ticks(i64 -1)
  br label %spin
spin:
  %before = phi i64 [ %start, %entry ], [ %now, %relaxed ]
  %quick = load atomic i32, ptr @epoch seq_cst, align 4
  %changed = icmp ne i32 %quick, %seen
  br i1 %changed, label %seen_spinning, label %relaxed
relaxed:
  call void @relax()
  %now = call i64 @ticks(i64 %before)
  %spent = sub i64 %now, %start
  %patient = icmp ult i64 %spent, %limit
  br i1 %patient, label %spin, label %count_in
seen_spinning:
  ret i32 %quick
count_in:
  %more = atomicrmw add ptr @sleepers, i32 1 seq_cst
  br label %sleep
sleep:
  ; Read @epoch again after the increment: either the launcher sees this sleeper, or the new epoch
  ; is visible here.
  %slow = load atomic i32, ptr @epoch seq_cst, align 4
  %same = icmp eq i32 %slow, %seen
  br i1 %same, label %wait, label %count_out
wait:
  call void @futex_wait(ptr @epoch, i32 %seen, i32 %bit)
  br label %sleep
count_out:
  %fewer = atomicrmw sub ptr @sleepers, i32 1 seq_cst
  ret i32 %slow
}

; Return the bit of a worker in futex masks; workers from 31 on share the last bit.
define internal i32 @bit_of(i32 %worker) nounwind {
  %small = icmp ult i32 %worker, 31
  %shift = select i1 %small, i32 %worker, i32 31
  %bit = shl i32 1, %shift
  ret i32 %bit
}

; Body of a helper thread; the argument is its worker number.
define internal ptr @helper(ptr %number) nounwind {
entry:
  %worker = ptrtoint ptr %number to i64
  %short = trunc i64 %worker to i32
  %bit = call i32 @bit_of(i32 %short)
  br label %idle
idle:
  ; A new helper starts from 0 and may see an old epoch first; @current then shows whether a loop
  ; runs.
  %seen = phi i32 [ 0, %entry ], [ %epoch, %count_out ], [ %epoch, %wake_launcher ]
  %epoch = call i32 @await_epoch(i32 %seen, i32 %bit)
  %more = atomicrmw add ptr @active, i32 1 seq_cst
  %job = load atomic ptr, ptr @current seq_cst, align 8
  %none = icmp eq ptr %job, null
  br i1 %none, label %count_out, label %wanted
wanted:
  %threads_at = getelementptr %job, ptr @job, i32 0, i32 3
  %threads = load i32, ptr %threads_at
  %mine = icmp slt i32 %short, %threads
  br i1 %mine, label %help, label %count_out
help:
  call void @work(i64 %worker)
  br label %count_out
count_out:
  %before = atomicrmw sub ptr @active, i32 1 seq_cst
  %last = icmp eq i32 %before, 1
  %awaited = load atomic i32, ptr @draining seq_cst, align 4
  %asleep = icmp ne i32 %awaited, 0
  %wake = and i1 %last, %asleep
  br i1 %wake, label %wake_launcher, label %idle
wake_launcher:
  call void @futex_wake(ptr @active, i32 -1)
  br label %idle
}

; Create helpers up to a total of %wanted; called with @busy held.
define internal void @hire(i32 %wanted) nounwind {
entry:
  %handle = alloca i64
  br label %check
check:
  %have = load i32, ptr @helpers
  %enough = icmp sge i32 %have, %wanted
  br i1 %enough, label %done, label %make
make:
  %worker = add i32 %have, 1
  %wide = zext i32 %worker to i64
  %number = inttoptr i64 %wide to ptr
  %failed = call i32 @pthread_create(ptr %handle, ptr null, ptr @helper, ptr %number)
  %ok = icmp eq i32 %failed, 0
  br i1 %ok, label %made, label %done
made:
  %thread = load i64, ptr %handle
  %r = call i32 @pthread_detach(i64 %thread)
  store i32 %worker, ptr @helpers
  br label %check
done:
  ret void
}

; Publish the loop in @job to the helpers.
define internal void @publish(i32 %threads) nounwind {
entry:
  store atomic ptr @job, ptr @current seq_cst, align 8
  %old = atomicrmw add ptr @epoch, i32 1 seq_cst
  %asleep = load atomic i32, ptr @sleepers seq_cst, align 4
  %any = icmp ne i32 %asleep, 0
  br i1 %any, label %wake, label %done
wake:
  %first_unwanted = call i32 @bit_of(i32 %threads)
  %below = sub i32 %first_unwanted, 1
  %many = icmp sgt i32 %threads, 31
  %bits = select i1 %many, i32 -1, i32 %below
  call void @futex_wake(ptr @epoch, i32 %bits)
  br label %done
done:
  ret void
}

; Withdraw the loop and wait until no helper works on it.
define internal void @drain() nounwind {
entry:
  store atomic ptr null, ptr @current seq_cst, align 8
  %limit = load i64, ptr @spin_ticks
  %start = call i64 @ticks(i64 -1)
  br label %spin
spin:
  %before = phi i64 [ %start, %entry ], [ %now, %relaxed ]
  %quick = load atomic i32, ptr @active seq_cst, align 4
  %idle = icmp eq i32 %quick, 0
  br i1 %idle, label %done, label %relaxed
relaxed:
  call void @relax()
  %now = call i64 @ticks(i64 %before)
  %spent = sub i64 %now, %start
  %patient = icmp ult i64 %spent, %limit
  br i1 %patient, label %spin, label %announce
announce:
  store atomic i32 1, ptr @draining seq_cst, align 4
  br label %sleep
sleep:
  %slow = load atomic i32, ptr @active seq_cst, align 4
  %empty = icmp eq i32 %slow, 0
  br i1 %empty, label %withdraw, label %wait
wait:
  call void @futex_wait(ptr @active, i32 %slow, i32 -1)
  br label %sleep
withdraw:
  store atomic i32 0, ptr @draining seq_cst, align 4
  br label %done
done:
  ret void
}

define i32 @__tw_pool_run(ptr %fn, ptr %args, i64 %tasks, i32 %wished) nounwind {
entry:
  %few = icmp slt i32 %wished, 64
  %threads = select i1 %few, i32 %wished, i32 64
  %several_threads = icmp sgt i32 %threads, 1
  %several_tasks = icmp sgt i64 %tasks, 1
  %worthwhile = and i1 %several_threads, %several_tasks
  br i1 %worthwhile, label %lock, label %inline
lock:
  %taken = cmpxchg ptr @busy, i32 0, i32 1 seq_cst seq_cst
  %got = extractvalue { i32, i1 } %taken, 1
  br i1 %got, label %launch, label %inline
inline:
  call void @run_inline(ptr %fn, ptr %args, i64 %tasks)
  ret i32 0
launch:
  store ptr %fn, ptr @job
  %args_at = getelementptr %job, ptr @job, i32 0, i32 1
  store ptr %args, ptr %args_at
  %tasks_at = getelementptr %job, ptr @job, i32 0, i32 2
  store i64 %tasks, ptr %tasks_at
  %threads_at = getelementptr %job, ptr @job, i32 0, i32 3
  store i32 %threads, ptr %threads_at
  %sharers = zext i32 %threads to i64
  call void @deal(i64 %tasks, i64 %sharers)
  %wanted = sub i32 %threads, 1
  call void @hire(i32 %wanted)
  call void @publish(i32 %threads)
  call void @work(i64 0)
  call void @drain()
  store atomic i32 0, ptr @busy seq_cst, align 4
  ret i32 0
}

define void @__tw_pool_reset() nounwind {
  store atomic ptr null, ptr @current seq_cst, align 8
  store atomic i32 0, ptr @active seq_cst, align 4
  store atomic i32 0, ptr @epoch seq_cst, align 4
  store atomic i32 0, ptr @sleepers seq_cst, align 4
  store atomic i32 0, ptr @draining seq_cst, align 4
  store i32 0, ptr @helpers
  store atomic i32 0, ptr @busy seq_cst, align 4
  ret void
}
