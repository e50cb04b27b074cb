/** Whether no commit says that it starts nothing; only a push has one, so all else counts. */
export const NOT_SKIPPED = "!contains(github.event.head_commit.message || '', '[skip ci]')";
