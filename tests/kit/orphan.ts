// A worker whose run was killed would continue, with its servers, until its test has finished.
function endWithTheRun(): void {
  process.exit(1)
}

// This file is run for every test file, several times in one process where files share it.
if (!process.listeners('disconnect').some(({ name }) => name === endWithTheRun.name)) process.once('disconnect', endWithTheRun)
