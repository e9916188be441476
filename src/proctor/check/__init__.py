"""Certificates: what a task must prove before its numbers mean anything."""

from ._certificate import CERTIFICATES, Certificate, Finding
from ._jobs import Job, JobResult, plan_jobs, run_job
from ._pictures import scene_pictures
from ._referent import referents
from ._run import CheckError, certify

__all__ = [
    "CERTIFICATES",
    "Certificate",
    "CheckError",
    "Finding",
    "Job",
    "JobResult",
    "certify",
    "plan_jobs",
    "referents",
    "run_job",
    "scene_pictures",
]
