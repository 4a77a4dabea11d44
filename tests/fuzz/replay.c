/* replay.c - runs a fuzzer's function on files: every argument is a file, or a folder of files. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f) {
		perror(path);
		return 1;
	}
	fseek(f, 0, SEEK_END);
	size_t size = (size_t)ftell(f);
	rewind(f);
	/* Allocated in exactly this size, so that a read past the end is detected. */
	uint8_t *data = malloc(size ? size : 1);
	size_t got = fread(data, 1, size, f);
	fclose(f);
	LLVMFuzzerTestOneInput(data, got);
	free(data);
	return 0;
}

static int run_path(const char *path)
{
	struct stat st;
	DIR *dir = stat(path, &st) == 0 && S_ISDIR(st.st_mode) ? opendir(path) : NULL;
	if (!dir)
		return run_file(path);
	int n = 0, failed = 0;
	for (struct dirent *e; (e = readdir(dir));) {
		char file[4096];
		if (e->d_name[0] == '.')
			continue;
		snprintf(file, sizeof file, "%s/%s", path, e->d_name);
		failed |= run_file(file);
		n++;
	}
	closedir(dir);
	printf("%s: %d inputs\n", path, n);
	return failed || n == 0;
}

int main(int argc, char **argv)
{
	int failed = argc < 2;
	for (int i = 1; i < argc; i++)
		failed |= run_path(argv[i]);
	return failed;
}
