; The entry code around a model's main function: argument checks, errors, arenas, exported names.
;
; All models share it. codegen/entry.py appends:
;   @type_error ... @bad_count ... @reason_dtype ...   error kinds, formats and reasons
;
; Exported functions follow the packed-function ABI: i32 f(self, args, count, result), 0 or -1.

%value = type { i32, i32, i64 }                                 ; type index, padding, payload
%tensor = type { ptr, i32, i32, i32, i32, ptr, ptr, i64 }       ; DLTensor: data, device type and
                                ; id, rank, dtype (code, bits, lanes), shape, strides, byte offset
%spec = type { ptr, ptr, ptr, i64, i64, i32, i32 }              ; name, text, shape, bytes,
                                                                ; alignment, rank, dtype
%reason = type { ptr, ptr, ptr }                                ; error kind, rule, format of "got"

; Defined per model in other objects (codegen/entry.py writes all but the last).
@tw_name = external hidden constant i8           ; NUL-terminated texts, for messages
@tw_signature = external hidden constant i8
@tw_specs = external hidden constant %spec       ; one per argument, inputs first, then outputs
@tw_inputs = external hidden constant i32        ; number of inputs
@tw_arguments = external hidden constant i32     ; number of all arguments
@tw_weights_bytes = external hidden constant i64
@tw_arena_bytes = external hidden constant i64
@tw_max_threads = external hidden constant i32
declare hidden i32 @tw_run(ptr, ptr, i32)        ; addresses of the arguments and then the number of
                                ; rows of the call (-1 without a dynamic size), arena, threads

; Slots that the loader fills before the first call.
@__tw_weights = global ptr null                  ; base address of the weights
@__tw_pool = global ptr null                     ; parallel-for; null runs everything serially
@__tw_default_threads = global i32 1             ; threads of __tvm_ffi_main
@__tw_raise = global ptr null                    ; void (kind, message): our own loader's
@__TVMFFIErrorSetRaisedFromCStr = weak global ptr null          ; the same, filled by TVM's loader
@__tvm_ffi__library_ctx = weak global ptr null

@__tw_last_error = global [1024 x i8] zeroinitializer           ; text of the last error, any thread
@__tw_abi_version = constant i32 1

declare extern_weak void @TVMFFIErrorSetRaisedFromCStr(ptr, ptr)
declare extern_weak ptr @dlsym(ptr, ptr)
declare i32 @snprintf(ptr, i64, ptr, ...)
declare ptr @memcpy(ptr, ptr, i64)
declare ptr @aligned_alloc(i64, i64)
declare void @free(ptr)

; ---- errors ------------------------------------------------------------------------------------

; Report an error to the caller: our loader, TVM's loader, a host that has the function, or a host
; that loaded it later. The text also stays in @__tw_last_error. Returns -1.
define internal i32 @raise(ptr %kind, ptr %message) nounwind {
entry:
  %copy = call ptr @memcpy(ptr @__tw_last_error, ptr %message, i64 1024)
  %ours = load ptr, ptr @__tw_raise
  %has_ours = icmp ne ptr %ours, null
  br i1 %has_ours, label %call, label %try_slot
try_slot:
  %slot = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr
  %has_slot = icmp ne ptr %slot, null
  br i1 %has_slot, label %call, label %try_weak
try_weak:
  %has_weak = icmp ne ptr @TVMFFIErrorSetRaisedFromCStr, null
  br i1 %has_weak, label %call, label %try_search
try_search:
  %can_search = icmp ne ptr @dlsym, null
  br i1 %can_search, label %search, label %done
search:
  %found = call ptr @dlsym(ptr null, ptr @host_symbol)
  %has_found = icmp ne ptr %found, null
  br i1 %has_found, label %call, label %done
call:
  %report = phi ptr [ %ours, %entry ], [ %slot, %try_slot ], [ @TVMFFIErrorSetRaisedFromCStr, %try_weak ], [ %found, %search ]
  call void %report(ptr %kind, ptr %message)
  br label %done
done:
  ret i32 -1
}

; Report that argument %index breaks a rule; %numbers are three i64 for the reason's format.
define internal i32 @fail_argument(ptr %reason, i32 %index, ptr %numbers) nounwind {
  %got = alloca [128 x i8]
  %message = alloca [1024 x i8]
  %kind = load ptr, ptr %reason
  %rule_at = getelementptr %reason, ptr %reason, i32 0, i32 1
  %rule = load ptr, ptr %rule_at
  %format_at = getelementptr %reason, ptr %reason, i32 0, i32 2
  %format = load ptr, ptr %format_at
  %first = load i64, ptr %numbers
  %second_at = getelementptr i64, ptr %numbers, i32 1
  %second = load i64, ptr %second_at
  %third_at = getelementptr i64, ptr %numbers, i32 2
  %third = load i64, ptr %third_at
  %got_bytes = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %got, i64 128, ptr %format, i64 %first, i64 %second, i64 %third)
  %spec = getelementptr %spec, ptr @tw_specs, i32 %index
  %name = load ptr, ptr %spec
  %text_at = getelementptr %spec, ptr %spec, i32 0, i32 1
  %text = load ptr, ptr %text_at
  %bytes = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %message, i64 1024, ptr @bad_argument, ptr @tw_name, i32 %index, ptr %name, ptr %rule, ptr %text, ptr %got, ptr @tw_signature)
  %status = call i32 @raise(ptr %kind, ptr %message)
  ret i32 %status
}

define internal i32 @fail_count(i32 %got) nounwind {
  %message = alloca [1024 x i8]
  %arguments = load i32, ptr @tw_arguments
  %inputs = load i32, ptr @tw_inputs
  %outputs = sub i32 %arguments, %inputs
  %bytes = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %message, i64 1024, ptr @bad_count, ptr @tw_name, i32 %arguments, i32 %inputs, i32 %outputs, i32 %got, ptr @tw_signature)
  %status = call i32 @raise(ptr @type_error, ptr %message)
  ret i32 %status
}

; Report a failure with one number; the format takes the name and the number.
define internal i32 @fail_number(ptr %kind, ptr %format, i64 %number) nounwind {
  %message = alloca [1024 x i8]
  %bytes = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %message, i64 1024, ptr %format, ptr @tw_name, i64 %number)
  %status = call i32 @raise(ptr %kind, ptr %message)
  ret i32 %status
}

; ---- indices -----------------------------------------------------------------------------------

; The description of an index check (lowering/checks_to_llvm.py).
%check = type { ptr, ptr, i64, i64, i64, i64 }   ; place, shape, rank, elements, columns, -1: wraps

; Write element %position of a tensor of some shape as "[2, 0]" to %text, of %room bytes.
define internal void @write_position(ptr %text, i64 %room, ptr %shape, i64 %rank, i64 %position) nounwind {
entry:
  %start = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %text, i64 %room, ptr @position_start)
  br label %next
next:
  %axis = phi i64 [ 0, %entry ], [ %following, %after ]
  %length = phi i32 [ %start, %entry ], [ %longer, %after ]
  %more = icmp ult i64 %axis, %rank
  br i1 %more, label %stride, label %end
stride:                                          ; elements of one step along the axis
  %other = phi i64 [ %axis, %next ], [ %inner, %multiply ]
  %elements = phi i64 [ 1, %next ], [ %product, %multiply ]
  %inner = add i64 %other, 1
  %is_inner = icmp ult i64 %inner, %rank
  br i1 %is_inner, label %multiply, label %number
multiply:
  %size_at = getelementptr i64, ptr %shape, i64 %inner
  %size = load i64, ptr %size_at
  %product = mul i64 %elements, %size
  br label %stride
number:
  %own_at = getelementptr i64, ptr %shape, i64 %axis
  %own = load i64, ptr %own_at
  %steps = udiv i64 %position, %elements
  %step = urem i64 %steps, %own
  %first = icmp eq i64 %axis, 0
  %format = select i1 %first, ptr @position_first, ptr @position_next
  %wide = sext i32 %length to i64
  %left = sub i64 %room, %wide
  %full = icmp slt i64 %left, 32
  br i1 %full, label %end, label %after
after:
  %at = getelementptr i8, ptr %text, i64 %wide
  %bytes = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %at, i64 %left, ptr %format, i64 %step)
  %longer = add i32 %length, %bytes
  %following = add i64 %axis, 1
  br label %next
end:
  %wide_length = sext i32 %length to i64
  %end_at = getelementptr i8, ptr %text, i64 %wide_length
  %rest = sub i64 %room, %wide_length
  %closed = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %end_at, i64 %rest, ptr @position_end)
  ret void
}

; Report that index %got, element %position of a tensor, is outside %low..%high. Returns -1.
define hidden i32 @tw_fail_index(ptr %check, i64 %position, i64 %got, i64 %low, i64 %high) nounwind {
  %where = alloca [256 x i8]
  %message = alloca [1024 x i8]
  %place = load ptr, ptr %check
  %shape_at = getelementptr %check, ptr %check, i32 0, i32 1
  %shape = load ptr, ptr %shape_at
  %rank_at = getelementptr %check, ptr %check, i32 0, i32 2
  %rank = load i64, ptr %rank_at
  call void @write_position(ptr %where, i64 256, ptr %shape, i64 %rank, i64 %position)
  %bytes = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %message, i64 1024, ptr @bad_index, ptr @tw_name, ptr %place, i64 %low, i64 %high, i64 %got, ptr %where)
  %status = call i32 @raise(ptr @index_error, ptr %message)
  ret i32 %status
}

; ---- argument checks ---------------------------------------------------------------------------

; Store three numbers for a message.
define internal void @note(ptr %numbers, i64 %first, i64 %second, i64 %third) nounwind {
  store i64 %first, ptr %numbers
  %second_at = getelementptr i64, ptr %numbers, i32 1
  store i64 %second, ptr %second_at
  %third_at = getelementptr i64, ptr %numbers, i32 2
  store i64 %third, ptr %third_at
  ret void
}

; Return the DLTensor in a value, or null: type 7 points at one, type 70 at an object that holds
; one behind a header of 24 bytes.
define internal ptr @tensor_of(ptr %value) nounwind {
  %kind = load i32, ptr %value
  %payload_at = getelementptr %value, ptr %value, i32 0, i32 2
  %payload = load ptr, ptr %payload_at
  %inside = getelementptr i8, ptr %payload, i64 24
  %is_object = icmp eq i32 %kind, 70
  %is_plain = icmp eq i32 %kind, 7
  %plain = select i1 %is_plain, ptr %payload, ptr null
  %found = select i1 %is_object, ptr %inside, ptr %plain
  ret ptr %found
}

; Check device, dtype and rank; return null or a reason.
define internal ptr @check_type(ptr %spec, ptr %tensor, ptr %numbers) nounwind {
entry:
  %device_at = getelementptr %tensor, ptr %tensor, i32 0, i32 1
  %device = load i32, ptr %device_at
  %device_id_at = getelementptr %tensor, ptr %tensor, i32 0, i32 2
  %device_id = load i32, ptr %device_id_at
  %on_cpu = icmp eq i32 %device, 1
  br i1 %on_cpu, label %dtype, label %bad_device
bad_device:
  %wide_device = sext i32 %device to i64
  %wide_id = sext i32 %device_id to i64
  call void @note(ptr %numbers, i64 %wide_device, i64 %wide_id, i64 0)
  ret ptr @reason_device
dtype:
  %got_at = getelementptr %tensor, ptr %tensor, i32 0, i32 4
  %got = load i32, ptr %got_at
  %expected_at = getelementptr %spec, ptr %spec, i32 0, i32 6
  %expected = load i32, ptr %expected_at
  %same_dtype = icmp eq i32 %got, %expected
  br i1 %same_dtype, label %check_rank, label %bad_dtype
bad_dtype:
  %fields = zext i32 %got to i64
  %code = and i64 %fields, 255
  %upper = lshr i64 %fields, 8
  %bits = and i64 %upper, 255
  %lanes = lshr i64 %fields, 16
  call void @note(ptr %numbers, i64 %code, i64 %bits, i64 %lanes)
  ret ptr @reason_dtype
check_rank:
  %got_rank_at = getelementptr %tensor, ptr %tensor, i32 0, i32 3
  %got_rank = load i32, ptr %got_rank_at
  %rank_at = getelementptr %spec, ptr %spec, i32 0, i32 5
  %rank = load i32, ptr %rank_at
  %same_rank = icmp eq i32 %got_rank, %rank
  br i1 %same_rank, label %good, label %bad_rank
bad_rank:
  %wide_rank = sext i32 %got_rank to i64
  call void @note(ptr %numbers, i64 %wide_rank, i64 0, i64 0)
  ret ptr @reason_rank
good:
  ret ptr null
}

; Check sizes; return null or a reason. Before: the rank is right. A size of -1 is dynamic: the
; first tensor with one sets it at %rows_at, which holds -1 before.
define internal ptr @check_shape(ptr %spec, ptr %tensor, ptr %rows_at, ptr %numbers) nounwind {
entry:
  %rank_at = getelementptr %spec, ptr %spec, i32 0, i32 5
  %rank = load i32, ptr %rank_at
  %wide_rank = zext i32 %rank to i64
  %shape_at = getelementptr %spec, ptr %spec, i32 0, i32 2
  %shape = load ptr, ptr %shape_at
  %got_at = getelementptr %tensor, ptr %tensor, i32 0, i32 5
  %got_shape = load ptr, ptr %got_at
  br label %next
next:
  %axis = phi i64 [ 0, %entry ], [ %following, %same ]
  %more = icmp slt i64 %axis, %wide_rank
  br i1 %more, label %compare, label %good
compare:
  %size_at = getelementptr i64, ptr %shape, i64 %axis
  %size = load i64, ptr %size_at
  %got_size_at = getelementptr i64, ptr %got_shape, i64 %axis
  %got_size = load i64, ptr %got_size_at
  %equal = icmp eq i64 %size, %got_size
  br i1 %equal, label %same, label %differs
differs:
  %open = icmp eq i64 %size, -1
  br i1 %open, label %take_rows, label %bad
take_rows:
  %known_rows = load i64, ptr %rows_at
  %first = icmp eq i64 %known_rows, -1
  %rows = select i1 %first, i64 %got_size, i64 %known_rows
  store i64 %rows, ptr %rows_at
  %agrees = icmp eq i64 %rows, %got_size
  br i1 %agrees, label %same, label %bad
same:
  %following = add i64 %axis, 1
  br label %next
bad:
  call void @note(ptr %numbers, i64 %got_size, i64 %axis, i64 0)
  ret ptr @reason_shape
good:
  ret ptr null
}

; Check that elements are stored row by row without gaps; return null or a reason. Before: the shape
; is right, and no size is 0.
define internal ptr @check_strides(ptr %spec, ptr %tensor, ptr %numbers) nounwind {
entry:
  %rank_at = getelementptr %spec, ptr %spec, i32 0, i32 5
  %rank = load i32, ptr %rank_at
  %wide_rank = zext i32 %rank to i64
  %shape_at = getelementptr %spec, ptr %spec, i32 0, i32 2
  %shape = load ptr, ptr %shape_at
  %strides_at = getelementptr %tensor, ptr %tensor, i32 0, i32 6
  %strides = load ptr, ptr %strides_at
  %compact = icmp eq ptr %strides, null
  br i1 %compact, label %good, label %next
next:
  %left = phi i64 [ %wide_rank, %entry ], [ %axis, %fine ]
  %expected = phi i64 [ 1, %entry ], [ %following, %fine ]
  %more = icmp sgt i64 %left, 0
  br i1 %more, label %compare, label %good
compare:
  %axis = sub i64 %left, 1
  %size_at = getelementptr i64, ptr %shape, i64 %axis
  %size = load i64, ptr %size_at
  %stride_at = getelementptr i64, ptr %strides, i64 %axis
  %stride = load i64, ptr %stride_at
  %one = icmp eq i64 %size, 1
  %equal = icmp eq i64 %stride, %expected
  %ok = or i1 %one, %equal
  br i1 %ok, label %fine, label %bad
fine:
  %following = mul i64 %expected, %size
  br label %next
bad:
  call void @note(ptr %numbers, i64 %stride, i64 %axis, i64 %expected)
  ret ptr @reason_strides
good:
  ret ptr null
}

; Check one argument and store the address of its first element; return null or a reason.
define internal ptr @check_argument(ptr %spec, ptr %value, ptr %address_at, ptr %rows_at, ptr %numbers) nounwind {
entry:
  %tensor = call ptr @tensor_of(ptr %value)
  %is_tensor = icmp ne ptr %tensor, null
  br i1 %is_tensor, label %type, label %bad_kind
bad_kind:
  %kind = load i32, ptr %value
  %wide_kind = sext i32 %kind to i64
  call void @note(ptr %numbers, i64 %wide_kind, i64 0, i64 0)
  ret ptr @reason_kind
type:
  %type_reason = call ptr @check_type(ptr %spec, ptr %tensor, ptr %numbers)
  %type_ok = icmp eq ptr %type_reason, null
  br i1 %type_ok, label %shape, label %bad
shape:
  %shape_reason = call ptr @check_shape(ptr %spec, ptr %tensor, ptr %rows_at, ptr %numbers)
  %shape_ok = icmp eq ptr %shape_reason, null
  br i1 %shape_ok, label %address, label %bad
address:
  %data = load ptr, ptr %tensor
  %offset_at = getelementptr %tensor, ptr %tensor, i32 0, i32 7
  %offset = load i64, ptr %offset_at
  %start = getelementptr i8, ptr %data, i64 %offset
  store ptr %start, ptr %address_at
  %bytes_at = getelementptr %spec, ptr %spec, i32 0, i32 3
  %bytes = load i64, ptr %bytes_at
  %empty = icmp eq i64 %bytes, 0
  br i1 %empty, label %good, label %look
look:
  %rank_at = getelementptr %spec, ptr %spec, i32 0, i32 5
  %rank = load i32, ptr %rank_at
  %has_sizes = icmp sgt i32 %rank, 0
  br i1 %has_sizes, label %first_size, label %strides
first_size:
  %sizes_at = getelementptr %tensor, ptr %tensor, i32 0, i32 5
  %sizes = load ptr, ptr %sizes_at
  %rows = load i64, ptr %sizes
  %no_rows = icmp eq i64 %rows, 0
  br i1 %no_rows, label %good, label %strides
strides:
  %strides_reason = call ptr @check_strides(ptr %spec, ptr %tensor, ptr %numbers)
  %strides_ok = icmp eq ptr %strides_reason, null
  br i1 %strides_ok, label %alignment, label %bad
alignment:
  %alignment_at = getelementptr %spec, ptr %spec, i32 0, i32 4
  %alignment_bytes = load i64, ptr %alignment_at
  %number = ptrtoint ptr %start to i64
  %low = sub i64 %alignment_bytes, 1
  %rest = and i64 %number, %low
  %aligned = icmp eq i64 %rest, 0
  %given = icmp ne ptr %data, null
  %usable = and i1 %aligned, %given
  br i1 %usable, label %good, label %bad_address
bad_address:
  call void @note(ptr %numbers, i64 %number, i64 %alignment_bytes, i64 0)
  ret ptr @reason_address
bad:
  %reason = phi ptr [ %type_reason, %type ], [ %shape_reason, %shape ], [ %strides_reason, %strides ]
  ret ptr %reason
good:
  ret ptr null
}

; Check every argument and collect the addresses; return 0 or -1.
define internal i32 @check_arguments(ptr %args, i32 %count, ptr %addresses) nounwind {
entry:
  %numbers = alloca [3 x i64]
  %arguments = load i32, ptr @tw_arguments
  %rows_at = getelementptr ptr, ptr %addresses, i32 %arguments
  store i64 -1, ptr %rows_at
  %right_count = icmp eq i32 %count, %arguments
  br i1 %right_count, label %next, label %bad_count
bad_count:
  %count_status = call i32 @fail_count(i32 %count)
  ret i32 %count_status
next:
  %index = phi i32 [ 0, %entry ], [ %following, %fine ]
  %more = icmp slt i32 %index, %count
  br i1 %more, label %check, label %overlap
check:
  %spec = getelementptr %spec, ptr @tw_specs, i32 %index
  %value = getelementptr %value, ptr %args, i32 %index
  %address_at = getelementptr ptr, ptr %addresses, i32 %index
  %reason = call ptr @check_argument(ptr %spec, ptr %value, ptr %address_at, ptr %rows_at, ptr %numbers)
  %ok = icmp eq ptr %reason, null
  br i1 %ok, label %fine, label %bad
fine:
  %following = add i32 %index, 1
  br label %next
bad:
  %status = call i32 @fail_argument(ptr %reason, i32 %index, ptr %numbers)
  ret i32 %status
overlap:
  %overlap_status = call i32 @check_overlap(ptr %addresses)
  ret i32 %overlap_status
}

; Return the size of an argument in bytes; for a dynamic first size the spec has the bytes of a row.
define internal i64 @bytes_of(i32 %index, ptr %addresses) nounwind {
entry:
  %spec = getelementptr %spec, ptr @tw_specs, i32 %index
  %bytes_at = getelementptr %spec, ptr %spec, i32 0, i32 3
  %bytes = load i64, ptr %bytes_at
  %rank_at = getelementptr %spec, ptr %spec, i32 0, i32 5
  %rank = load i32, ptr %rank_at
  %has_sizes = icmp sgt i32 %rank, 0
  br i1 %has_sizes, label %look, label %fixed
look:
  %shape_at = getelementptr %spec, ptr %spec, i32 0, i32 2
  %shape = load ptr, ptr %shape_at
  %first = load i64, ptr %shape
  %open = icmp eq i64 %first, -1
  br i1 %open, label %rows, label %fixed
rows:
  %arguments = load i32, ptr @tw_arguments
  %rows_at = getelementptr ptr, ptr %addresses, i32 %arguments
  %count = load i64, ptr %rows_at
  %total = mul i64 %bytes, %count
  ret i64 %total
fixed:
  ret i64 %bytes
}

; Check that no output shares memory with an argument before it; return 0 or -1.
define internal i32 @check_overlap(ptr %addresses) nounwind {
entry:
  %numbers = alloca [3 x i64]
  %inputs = load i32, ptr @tw_inputs
  %arguments = load i32, ptr @tw_arguments
  br label %next_output
next_output:
  %output = phi i32 [ %inputs, %entry ], [ %following_output, %apart_from_all ]
  %more_outputs = icmp slt i32 %output, %arguments
  br i1 %more_outputs, label %first_other, label %good
first_other:
  %output_start_at = getelementptr ptr, ptr %addresses, i32 %output
  %output_start = load i64, ptr %output_start_at
  %output_bytes = call i64 @bytes_of(i32 %output, ptr %addresses)
  %output_end = add i64 %output_start, %output_bytes
  br label %next_other
next_other:
  %other = phi i32 [ 0, %first_other ], [ %following_other, %apart ]
  %more_others = icmp slt i32 %other, %output
  br i1 %more_others, label %compare, label %apart_from_all
compare:
  %start_at = getelementptr ptr, ptr %addresses, i32 %other
  %start = load i64, ptr %start_at
  %bytes = call i64 @bytes_of(i32 %other, ptr %addresses)
  %end = add i64 %start, %bytes
  %before = icmp ult i64 %start, %output_end
  %after = icmp ult i64 %output_start, %end
  %crossing = and i1 %before, %after
  ; An empty range overlaps nothing, even inside another range.
  %smaller = call i64 @llvm.umin.i64(i64 %bytes, i64 %output_bytes)
  %both = icmp ne i64 %smaller, 0
  %shared = and i1 %crossing, %both
  br i1 %shared, label %bad, label %apart
apart:
  %following_other = add i32 %other, 1
  br label %next_other
apart_from_all:
  %following_output = add i32 %output, 1
  br label %next_output
bad:
  %wide_other = zext i32 %other to i64
  call void @note(ptr %numbers, i64 %wide_other, i64 0, i64 0)
  %status = call i32 @fail_argument(ptr @reason_overlap, i32 %output, ptr %numbers)
  ret i32 %status
good:
  ret i32 0
}

declare i64 @llvm.umin.i64(i64, i64)

; ---- arenas ------------------------------------------------------------------------------------

; Arenas that no call uses at the moment. One atomic exchange takes or fills a slot, so calls from
; several threads never share an arena and never wait.
@arenas = internal global [8 x ptr] zeroinitializer, align 64

; Return an arena of @tw_arena_bytes, aligned to 64 bytes, or null if memory is exhausted.
define internal ptr @take_arena() nounwind {
entry:
  br label %next
next:
  %index = phi i32 [ 0, %entry ], [ %following, %empty ]
  %more = icmp slt i32 %index, 8
  br i1 %more, label %try, label %allocate
try:
  %slot = getelementptr [8 x ptr], ptr @arenas, i32 0, i32 %index
  %arena = atomicrmw xchg ptr %slot, ptr null acq_rel
  %found = icmp ne ptr %arena, null
  br i1 %found, label %done, label %empty
empty:
  %following = add i32 %index, 1
  br label %next
allocate:
  %bytes = load i64, ptr @tw_arena_bytes
  %fresh = call ptr @aligned_alloc(i64 64, i64 %bytes)
  ret ptr %fresh
done:
  ret ptr %arena
}

; Keep an arena for the next call, or free it if enough are kept.
define internal void @give_arena(ptr %arena) nounwind {
entry:
  br label %next
next:
  %index = phi i32 [ 0, %entry ], [ %following, %full ]
  %more = icmp slt i32 %index, 8
  br i1 %more, label %try, label %release
try:
  %slot = getelementptr [8 x ptr], ptr @arenas, i32 0, i32 %index
  %exchange = cmpxchg ptr %slot, ptr null, ptr %arena acq_rel monotonic
  %stored = extractvalue { ptr, i1 } %exchange, 1
  br i1 %stored, label %done, label %full
full:
  %following = add i32 %index, 1
  br label %next
release:
  call void @free(ptr %arena)
  br label %done
done:
  ret void
}

; Free the kept arenas; for a loader that unloads the module.
define void @__tw_release() nounwind {
entry:
  br label %next
next:
  %index = phi i32 [ 0, %entry ], [ %following, %next ]
  %slot = getelementptr [8 x ptr], ptr @arenas, i32 0, i32 %index
  %arena = atomicrmw xchg ptr %slot, ptr null acq_rel
  call void @free(ptr %arena)
  %following = add i32 %index, 1
  %more = icmp slt i32 %following, 8
  br i1 %more, label %next, label %done
done:
  ret void
}

; ---- calls -------------------------------------------------------------------------------------

; Check the arguments and run the model.
define internal i32 @enter(ptr %args, i32 %count, i32 %threads) nounwind {
entry:
  %arguments = load i32, ptr @tw_arguments
  %slots = add i32 %arguments, 1                 ; the last one holds the dynamic size
  %addresses = alloca ptr, i32 %slots
  %checked = call i32 @check_arguments(ptr %args, i32 %count, ptr %addresses)
  %ok = icmp eq i32 %checked, 0
  br i1 %ok, label %weights, label %bad
bad:
  ret i32 -1
weights:
  %weights_bytes = load i64, ptr @tw_weights_bytes
  %needs_weights = icmp ne i64 %weights_bytes, 0
  %loaded = load ptr, ptr @__tw_weights
  %none_loaded = icmp eq ptr %loaded, null
  %missing = and i1 %needs_weights, %none_loaded
  br i1 %missing, label %bad_weights, label %arena
bad_weights:
  %weights_status = call i32 @fail_number(ptr @runtime_error, ptr @no_weights, i64 %weights_bytes)
  ret i32 %weights_status
arena:
  %bytes = load i64, ptr @tw_arena_bytes
  %needs_arena = icmp ne i64 %bytes, 0
  br i1 %needs_arena, label %take, label %run
take:
  %taken = call ptr @take_arena()
  %exhausted = icmp eq ptr %taken, null
  br i1 %exhausted, label %bad_memory, label %run
bad_memory:
  %memory_status = call i32 @fail_number(ptr @memory_error, ptr @no_memory, i64 %bytes)
  ret i32 %memory_status
run:
  %held = phi ptr [ null, %arena ], [ %taken, %take ]
  %most = load i32, ptr @tw_max_threads
  %fewer = call i32 @llvm.smin.i32(i32 %threads, i32 %most)
  %used = call i32 @llvm.smax.i32(i32 %fewer, i32 1)
  %status = call i32 @tw_run(ptr %addresses, ptr %held, i32 %used)
  %has_arena = icmp ne ptr %held, null
  br i1 %has_arena, label %give, label %finish
give:
  call void @give_arena(ptr %held)
  br label %finish
finish:
  %succeeded = icmp eq i32 %status, 0
  br i1 %succeeded, label %good, label %bad_run
bad_run:
  %reported = icmp eq i32 %status, -1            ; by a function of the process or by tw_fail_index
  br i1 %reported, label %passed_on, label %unknown
passed_on:
  ret i32 -1
unknown:
  %wide_status = sext i32 %status to i64
  %run_status = call i32 @fail_number(ptr @runtime_error, ptr @run_failed, i64 %wide_status)
  ret i32 %run_status
good:
  ret i32 0
}

declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)

define i32 @__tvm_ffi_main(ptr %self, ptr %args, i32 %count, ptr %result) nounwind {
  %threads = load i32, ptr @__tw_default_threads
  %status = call i32 @enter(ptr %args, i32 %count, i32 %threads)
  ret i32 %status
}

define i32 @__tvm_ffi_default(ptr %self, ptr %args, i32 %count, ptr %result) nounwind {
  %status = call i32 @__tvm_ffi_main(ptr %self, ptr %args, i32 %count, ptr %result)
  ret i32 %status
}

; The first argument is the number of threads; the rest as for __tvm_ffi_main.
define i32 @__tw_main_threads(ptr %self, ptr %args, i32 %count, ptr %result) nounwind {
entry:
  %some = icmp sgt i32 %count, 0
  br i1 %some, label %look, label %bad
look:
  %kind = load i32, ptr %args
  %is_int = icmp eq i32 %kind, 1
  br i1 %is_int, label %run, label %bad
bad:
  %got = phi i32 [ 0, %entry ], [ %kind, %look ]
  %wide = sext i32 %got to i64
  %bad_status = call i32 @fail_number(ptr @type_error, ptr @no_threads, i64 %wide)
  ret i32 %bad_status
run:
  %payload_at = getelementptr %value, ptr %args, i32 0, i32 2
  %threads = load i32, ptr %payload_at
  %rest = getelementptr %value, ptr %args, i32 1
  %fewer = sub i32 %count, 1
  %status = call i32 @enter(ptr %rest, i32 %fewer, i32 %threads)
  ret i32 %status
}
