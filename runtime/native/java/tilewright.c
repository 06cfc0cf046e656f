/* The native methods of tilewright.Native: the C runtime for Java (JNI). */

#include <jni.h>
#include <stdlib.h>
#include <string.h>

#include "../tilewright.h"

#define METHOD(type, name) JNIEXPORT type JNICALL Java_tilewright_Native_##name

static struct tw_module *module_of(jlong handle) { return (struct tw_module *)(intptr_t)handle; }

static struct tw_tensor_object *tensor_at(jlong handle)
{
    return (struct tw_tensor_object *)(intptr_t)handle;
}

/* Return a string of Java for UTF-8, which is not the encoding of NewStringUTF. */
static jstring string_of(JNIEnv *java, const char *text)
{
    jsize length = (jsize)strlen(text);
    jclass type = (*java)->FindClass(java, "java/lang/String");
    jbyteArray bytes = type == NULL ? NULL : (*java)->NewByteArray(java, length);
    if (bytes == NULL)
        return NULL;
    (*java)->SetByteArrayRegion(java, bytes, 0, length, (const jbyte *)text);
    jmethodID make = (*java)->GetMethodID(java, type, "<init>", "([BLjava/lang/String;)V");
    jstring encoding = (*java)->NewStringUTF(java, "UTF-8");
    if (make == NULL || encoding == NULL)
        return NULL;
    return (jstring)(*java)->NewObject(java, type, make, bytes, encoding);
}

/* Throw the error of this thread. */
static void throw_error(JNIEnv *java)
{
    jclass type = (*java)->FindClass(java, "tilewright/Error");
    if (type == NULL)
        return;
    jmethodID make
        = (*java)->GetMethodID(java, type, "<init>", "(Ljava/lang/String;Ljava/lang/String;)V");
    jstring kind = string_of(java, tw_error_kind());
    jstring message = string_of(java, tw_error_message());
    if (make != NULL && kind != NULL && message != NULL)
        (*java)->Throw(java, (*java)->NewObject(java, type, make, kind, message));
}

/* path: UTF-8 with a NUL at the end. */
METHOD(jlong, load)(JNIEnv *java, jclass self, jbyteArray path)
{
    (void)self;
    struct tw_module *made = NULL;
    jbyte *text = (*java)->GetByteArrayElements(java, path, NULL);
    if (text == NULL)
        return 0;
    int32_t status = tw_load((const char *)text, &made);
    (*java)->ReleaseByteArrayElements(java, path, text, JNI_ABORT);
    if (status != 0)
        throw_error(java);
    return (jlong)(intptr_t)made;
}

METHOD(void, unload)(JNIEnv *java, jclass self, jlong model)
{
    (void)java;
    (void)self;
    tw_unload(module_of(model));
}

METHOD(jintArray, counts)(JNIEnv *java, jclass self, jlong model)
{
    (void)self;
    int32_t counts[2];
    if (tw_module_counts(module_of(model), &counts[0], &counts[1]) != 0) {
        throw_error(java);
        return NULL;
    }
    jintArray made = (*java)->NewIntArray(java, 2);
    if (made != NULL)
        (*java)->SetIntArrayRegion(java, made, 0, 2, (const jint *)counts);
    return made;
}

METHOD(jobjectArray, argument)(JNIEnv *java, jclass self, jlong model, jint index)
{
    (void)self;
    struct tw_argument found;
    if (tw_module_argument(module_of(model), index, &found) != 0) {
        throw_error(java);
        return NULL;
    }
    jclass type = (*java)->FindClass(java, "java/lang/String");
    jobjectArray made = type == NULL ? NULL : (*java)->NewObjectArray(java, 2, type, NULL);
    const char *texts[] = {found.name, found.text};
    for (jsize at = 0; made != NULL && at < 2; at++)
        (*java)->SetObjectArrayElement(java, made, at, string_of(java, texts[at]));
    return made;
}

METHOD(jstring, manifest)(JNIEnv *java, jclass self, jlong model)
{
    (void)self;
    return string_of(java, tw_manifest(module_of(model)));
}

METHOD(void, setThreads)(JNIEnv *java, jclass self, jlong model, jint count)
{
    (void)self;
    if (tw_set_threads(module_of(model), count) != 0)
        throw_error(java);
}

METHOD(jlongArray, run)(JNIEnv *java, jclass self, jlong model, jlongArray inputs)
{
    (void)self;
    int32_t taken = 0, made = 0;
    if (tw_module_counts(module_of(model), &taken, &made) != 0) {
        throw_error(java);
        return NULL;
    }
    jsize given = (*java)->GetArrayLength(java, inputs);
    struct tw_tensor_object **tensors
        = calloc((size_t)given + (size_t)made + 1, sizeof *tensors);
    jlong *handles = calloc((size_t)(given > made ? given : made) + 1, sizeof *handles);
    jlongArray result = NULL;
    if (tensors != NULL && handles != NULL) {
        (*java)->GetLongArrayRegion(java, inputs, 0, given, handles);
        for (jsize index = 0; index < given; index++)
            tensors[index] = tensor_at(handles[index]);
        if (tw_module_run(module_of(model), tensors, given, tensors + given, made) != 0) {
            throw_error(java);
        } else {
            for (int32_t index = 0; index < made; index++)
                handles[index] = (jlong)(intptr_t)tensors[given + index];
            result = (*java)->NewLongArray(java, made);
            if (result != NULL)
                (*java)->SetLongArrayRegion(java, result, 0, made, handles);
        }
    }
    free(tensors);
    free(handles);
    return result;
}

METHOD(jlong, tensor)(JNIEnv *java, jclass self, jint type, jlongArray shape)
{
    (void)self;
    jlong sizes[TW_MAX_RANK];
    int64_t given[TW_MAX_RANK];
    jsize rank = (*java)->GetArrayLength(java, shape);
    if (rank <= TW_MAX_RANK)
        (*java)->GetLongArrayRegion(java, shape, 0, rank, sizes);
    for (jsize axis = 0; axis < rank && rank <= TW_MAX_RANK; axis++)
        given[axis] = sizes[axis];
    struct tw_tensor_object *made = tw_tensor_new((uint32_t)type, rank, given, TW_CPU, 0);
    if (made == NULL)
        throw_error(java);
    return (jlong)(intptr_t)made;
}

METHOD(void, release)(JNIEnv *java, jclass self, jlong tensor)
{
    (void)java;
    (void)self;
    tw_release(tensor_at(tensor));
}

METHOD(jlongArray, shape)(JNIEnv *java, jclass self, jlong tensor)
{
    (void)self;
    const struct tw_tensor *own = &tensor_at(tensor)->tensor;
    jlongArray made = (*java)->NewLongArray(java, own->rank);
    for (int32_t axis = 0; made != NULL && axis < own->rank; axis++) {
        jlong size = own->shape[axis];
        (*java)->SetLongArrayRegion(java, made, axis, 1, &size);
    }
    return made;
}

METHOD(jint, type)(JNIEnv *java, jclass self, jlong tensor)
{
    (void)java;
    (void)self;
    return (jint)tensor_at(tensor)->tensor.dtype;
}

METHOD(jobject, buffer)(JNIEnv *java, jclass self, jlong tensor)
{
    (void)self;
    const struct tw_tensor *own = &tensor_at(tensor)->tensor;
    jlong bytes = ((own->dtype >> 8 & 255) + 7) / 8;
    for (int32_t axis = 0; axis < own->rank; axis++)
        bytes *= own->shape[axis];
    return (*java)->NewDirectByteBuffer(java, tw_data(tensor_at(tensor)), bytes);
}
