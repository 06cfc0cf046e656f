// RUN: tw-opt %s --allow-unregistered-dialect | filecheck %s

// CHECK: "foo.bar"() : () -> ()
// CHECK: "foo.region"() ({
"foo.bar"() : () -> ()
%0 = "foo.value"() : () -> i32
"foo.region"() ({
  "foo.use"(%0) : (i32) -> ()
}) : () -> ()
