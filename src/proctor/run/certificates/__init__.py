"""Certificates: what a task must prove before its numbers mean anything."""

from ._certificate import CERTIFICATES, Certificate, Finding, Played
from ._fingerprint import question_code
from ._job import CertificateJob, JobResult
from ._jobs import plan_jobs, run_job
from ._pages import baselines_page, certificates_page
from ._pictures import scene_pictures
from ._played import guess
from ._run import certify
from ._store import AnswerStore, CheckError

__all__ = [
    "CERTIFICATES",
    "AnswerStore",
    "Certificate",
    "CertificateJob",
    "CheckError",
    "Finding",
    "JobResult",
    "Played",
    "baselines_page",
    "certificates_page",
    "certify",
    "guess",
    "plan_jobs",
    "question_code",
    "run_job",
    "scene_pictures",
]
