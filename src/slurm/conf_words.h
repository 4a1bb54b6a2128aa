/* conf_words.h - words that several keys share. */
#pragma once

#define SELECT_WORDS                                                                               \
    "CR_CPU CR_CPU_Memory CR_Core CR_Core_Memory CR_ONE_TASK_PER_CORE "                            \
    "CR_CORE_DEFAULT_DIST_BLOCK CR_LLN CR_Pack_Nodes CR_Socket CR_Socket_Memory CR_Memory "        \
    "MULTIPLE_SHARING_GRES_PJ ENFORCE_BINDING_GRES LL_SHARED_GRES ONE_TASK_PER_SHARING_GRES "      \
    "CR_NO_DIST_TOPO_BLOCK"
#define LIMIT_WORDS "ALL NONE AS CORE CPU DATA FSIZE MEMLOCK NOFILE NPROC RSS STACK"
#define DEBUG_WORDS                                                                                \
    "Accrue Agent AuditRPCs AuditTLS Backfill BackfillMap BurstBuffer Cgroup ConMgr CPU_Bind "     \
    "CpuFrequency Data DBD_Agent DB_ARCHIVE DB_ASSOC DB_EVENT DB_JOB DB_QOS DB_QUERY "             \
    "DB_RESERVATION DB_RESOURCE DB_STEP DB_TRES DB_USAGE DB_WCKEY Dependency Elasticsearch "       \
    "Energy Federation Gang GLOB_SILENCE Gres Hetjob JobAccountGather JobComp JobContainer "       \
    "License Metrics Namespace Network NetworkRaw NodeFeatures NO_CONF_HASH Power Priority "       \
    "Profile Protocol Reservation Route Script SelectType Steps Switch Thread TLS TraceJobs "      \
    "Triggers WorkQueue"
#define MODE_WORDS "OFF CANCEL GANG REQUEUE SUSPEND WITHIN PRIORITY"
#define LOG_WORDS                                                                                  \
    "iso8601 iso8601_ms rfc5424 rfc5424_ms rfc3339 clock short thread_id format_stderr"
#define PRIVATE_WORDS "accounts cloud events jobs nodes partitions reservations usage users all"
